/**
 * The control plane's part of verifying serialized items: redirectors look items up, and report their scans; requests
 * of apps are passed on to a redirector.
 */
import { Agent } from 'undici';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import type { Feature } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import { segmentEnds } from '../../../reports/route.ts';
import { nightlyJob, verificationTables } from './nightly.ts';
import { createVerifyOperation } from './pass-on.ts';
import { verificationProblems } from './reports/take-verifications.ts';
import { createVerificationRouter } from './routes.ts';
import { verificationVerbs } from './verbs.ts';

const routerOf = ({ config, pool, outbox, internalToken, logger, metrics }: Services) => {
  const countScans = metrics.counter(
    'serialized_scans_total',
    'Scans of serialized items that redirectors have reported, by what they were',
    'what',
    ['counted', 'second_claim'],
  );
  return createVerificationRouter({
    pool,
    outbox,
    internalToken,
    signatures: createSerialSignatures(createSerialKeys(config)),
    logger,
    onSegment: metrics.counter(
      'serialized_segments_total',
      'Segments of verifications, by how they were taken',
      'how',
      segmentEnds,
    ),
    onRejected: metrics.counter(
      'serialized_lines_rejected_total',
      'Lines of such segments that were set aside',
      'why',
      verificationProblems,
    ),
    onCounted: (times) => countScans('counted', times),
    onSecondClaims: (times) => countScans('second_claim', times),
  });
};

/** Connections to a redirector, each with one verification under way. */
const connectionsMax = 64;
const connectTimeoutMs = 2_000;

const verifyOperationOf = ({ config, internalToken, onClose }: Services) => {
  const dispatcher = new Agent({
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
  });
  onClose(() => dispatcher.close());
  return createVerifyOperation({
    redirectorUrl: config.redirector.url,
    countryHeader: config.countryHeader,
    internalToken,
    dispatcher,
  });
};

export const serializedVerification: Feature = {
  name: 'verification',
  tables: Object.values(verificationTables),
  events: ['serialized.first_scanned', 'serialized.duplicate_scanned'],
  verbs: verificationVerbs,
  open: (services) => ({
    operations: [verifyOperationOf(services)],
    internalRoutes: [routerOf(services)],
    tasks: [nightlyJob(services.pool)],
  }),
};
