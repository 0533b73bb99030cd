/** Wires up the verification of serialized items in one process: its limit, its claims and the path of its records. */
import type { Dispatcher } from 'undici';
import type { VerificationEvent } from '#schemas/verification.ts';
import type { Closer } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { Redis } from '#shared/redis.ts';
import { createSerialSignatures, type SerialKeys, type SerialSignatures } from '#shared/serial-signatures.ts';
import { type FolderLine, joinMembership, type MembershipOptions } from '../instance/membership.ts';
import { type AddressLimitOptions, createAddressLimit } from '../limits/address-limit.ts';
import type { VerificationPagesOf } from '../pages/verification/index.ts';
import { createLineEncoder } from '../recording/line-encoder.ts';
import { createRecorder } from '../recording/recorder.ts';
import type { Spool } from '../recording/spool.ts';
import type { VisitorHasher } from '../visitor/visitor-hash.ts';
import { type ClaimOptions, createClaims } from './claims/claims.ts';
import { createItemSource } from './claims/item-source.ts';
import type { FactsOf } from './facts.ts';
import { createFingerprintSource, createKeyCheck } from './key-check.ts';
import { verificationMetrics } from './metrics.ts';
import { createVerifier, type Verifier } from './verifier.ts';

export interface VerificationOptions {
  limit: AddressLimitOptions;
  claims: ClaimOptions;
  membership: MembershipOptions;
  /** Per lookup at the control plane. */
  lookupTimeoutMs: number;
  /** How often signature keys are compared with the control plane's. */
  keyCheckEveryMs: number;
  /** Room for verifications in memory, on their way to the spool. */
  batchBytes: number;
}

export interface VerificationParts {
  options: VerificationOptions;
  keys: SerialKeys;
  internalUrl: string;
  token: string;
  redis: Redis;
  controlPlane: Dispatcher;
  spool: Spool;
  /** The process's current line in the membership. */
  lines(): FolderLine[];
  facts: FactsOf;
  visitorHasher: VisitorHasher;
  pages: VerificationPagesOf;
  closer: Pick<Closer, 'add'>;
  logger: Logger;
}

export interface Verification {
  readonly verifier: Verifier;
  readonly metrics: MetricDefinition[];
  /** Called when this process starts to answer. */
  beginServing(): void;
}

/** An event has two times, two countries and ids of bounded length: 300 bytes. */
const eventBytesMax = 1024;

/** Uses only keys that are not known to differ from the control plane's. */
const openSignatures = (parts: VerificationParts): SerialSignatures => {
  const { options, internalUrl, token, controlPlane, closer, logger } = parts;
  const signatures = createSerialSignatures(parts.keys, (generation) => keyCheck.isTrusted(generation));
  const keyCheck = createKeyCheck(
    signatures.fingerprints,
    createFingerprintSource(internalUrl, token, options.lookupTimeoutMs, controlPlane),
    options.keyCheckEveryMs,
    logger,
  );
  keyCheck.start();
  closer.add(() => keyCheck.close());
  return signatures;
};

/** Its parts close after the last answer and before the spool. */
export const openVerification = (parts: VerificationParts): Verification => {
  const { options, redis, spool, closer, logger } = parts;
  const membership = joinMembership(redis, parts.lines, logger, {
    ...options.membership,
    onBeat: (answered) => claims.heard(answered),
  });
  closer.add(() => membership.close());
  const { internalUrl, token, controlPlane } = parts;
  const source = createItemSource(internalUrl, token, options.lookupTimeoutMs, controlPlane);
  const claims = createClaims(options.claims, redis, membership, source, logger);
  closer.add(() => claims.close());
  const addressLimit = createAddressLimit(options.limit, redis, () => membership.processes, logger);
  closer.add(() => addressLimit.close());
  const encoder = createLineEncoder<VerificationEvent>(eventBytesMax);
  const recorder = createRecorder(encoder, options.batchBytes, spool);
  const verifier = createVerifier({
    ...parts,
    signatures: openSignatures(parts),
    addressLimit,
    claims,
    recorder,
    deviceMs: options.claims.deviceMs,
  });
  const onReady = (): void => claims.prepare();
  redis.on('ready', onReady);
  closer.add(async () => void redis.off('ready', onReady));
  return {
    verifier,
    metrics: verificationMetrics(verifier, claims),
    beginServing() {
      membership.beat().catch((error) => logger.debug({ err: error }, 'Redis did not take the heartbeat'));
      claims.prepare();
    },
  };
};
