/** Verifies a genuine code for a person: claim or count, record, and answer once the record is on disk. */
import { randomUUID } from 'node:crypto';
import type { BatchRecord, VerificationAnswer, VerificationEvent } from '#schemas/verification.ts';
import type { Logger } from '#shared/logger.ts';
import { isServedAt } from '../domains/site.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Visit } from '../scan/visit.ts';
import { createWaiting } from '../scan/waiting.ts';
import type { VisitorHasher } from '../visitor/visitor-hash.ts';
import type { VerificationAnswers } from './answers.ts';
import type { ClaimedItem } from './claims/claimed-items.ts';
import type { Claims, FirstClaim } from './claims/claims.ts';
import type { VerificationRequest } from './request.ts';

export interface PersonParts {
  claims: Pick<Claims, 'held' | 'count' | 'answers' | 'claim'>;
  batches: {
    /** The batch, null if it is known to be absent, undefined if it must be loaded. */
    held(id: string): BatchRecord | null | undefined;
    /** @throws if no source can say */
    load(id: string): Promise<BatchRecord | null>;
  };
  recorder: Pick<Recorder<VerificationEvent>, 'record'>;
  visitorHasher: Pick<VisitorHasher, 'hash'>;
  /** How long the device that made a claim is remembered. */
  deviceMs: number;
  answers: VerificationAnswers;
  logger: Logger;
}

export interface Persons {
  answer(request: VerificationRequest, itemId: string): void;
  /** Verifications that wait for Redis, the control plane or the disk. */
  readonly waiting: number;
}

/** @returns the visitor's hash as text */
const createDeviceOf = (visitorHasher: PersonParts['visitorHasher']) => {
  const hash = { high: 0, low: 0 };
  return ({ address, userAgent, atMs }: Visit): string => {
    visitorHasher.hash(address, userAgent, atMs, hash);
    return `${(hash.high >>> 0).toString(36)}.${(hash.low >>> 0).toString(36)}`;
  };
};

/** The parts of an answer that first and later scans share. */
interface Telling {
  itemId: string;
  batch: BatchRecord;
  first: ClaimedItem['first'];
  scanCount: number;
}

const answerOf = (
  verdict: 'authentic' | 'already_scanned',
  { itemId, batch, first, scanCount }: Telling,
  sameDevice: boolean,
): VerificationAnswer => ({
  verdict,
  itemId,
  productSku: batch.productSku ?? null,
  productName: batch.productName ?? null,
  gtin: batch.gtin ?? null,
  brandName: batch.brandName ?? null,
  notice: batch.notice ?? null,
  scanCount,
  firstScannedAt: first.atMs,
  firstScanCountry: first.country || null,
  sameDevice,
});

/** The fields that events of a claim and of a later scan share. */
const eventOf = ({ atMs, country }: Visit, { itemId, batch, first }: Telling) => ({
  id: randomUUID(),
  itemId,
  batchId: batch.id,
  atMs,
  country,
  first,
});

/** @returns the batch, or undefined if it cannot be loaded: then there is no verdict */
const createBatchOf =
  ({ batches, logger }: Pick<PersonParts, 'batches' | 'logger'>) =>
  async (id: string): Promise<BatchRecord | undefined> => {
    try {
      return batches.held(id) ?? (await batches.load(id)) ?? undefined;
    } catch (error) {
      logger.debug({ err: error, id }, 'could not look up a batch');
      return undefined;
    }
  };

export const createPersons = (parts: PersonParts): Persons => {
  const { claims, batches, recorder, answers, deviceMs } = parts;
  const waiting = createWaiting();
  const deviceOf = createDeviceOf(parts.visitorHasher);
  const batchOf = createBatchOf(parts);

  /** @returns whether the event is on disk; false if the connection closes first */
  const record = (request: VerificationRequest, event: VerificationEvent): Promise<boolean> =>
    new Promise((resolve) => {
      recorder.record(event, {
        get aborted() {
          return request.reply.aborted;
        },
        release: () => resolve(true),
        afterWrite: resolve,
      });
    });

  const isClaimant = (item: ClaimedItem, visit: Visit): boolean => {
    if (visit.atMs - item.first.atMs > deviceMs) item.device = '';
    return item.device !== '' && item.device === deviceOf(visit);
  };

  const answerClaimed = async (
    request: VerificationRequest,
    item: ClaimedItem,
    batch: BatchRecord,
  ): Promise<void> => {
    const { itemId, first } = item;
    const sameDevice = isClaimant(item, request.visit);
    const telling = { itemId, batch, first, scanCount: 0 };
    const event = { ...eventOf(request.visit, telling), claimed: false, sameDevice };
    if (!(await record(request, event))) return answers.unavailable(request, 'unavailable');
    claims.count(item);
    telling.scanCount = item.scanCount + item.uncounted;
    answers.verdict(request, answerOf('already_scanned', telling, sameDevice), batch);
  };

  const answerFirst = async (
    request: VerificationRequest,
    itemId: string,
    claim: FirstClaim,
    batch: BatchRecord,
  ): Promise<void> => {
    const { atMs, country } = request.visit;
    const telling = { itemId, batch, first: { atMs, country }, scanCount: 1 };
    const event = { ...eventOf(request.visit, telling), claimed: true, sameDevice: false };
    let recorded = false;
    let isFirst = false;
    try {
      recorded = await record(request, event);
    } finally {
      isFirst = claim.end(recorded);
    }
    if (isFirst) answers.verdict(request, answerOf('authentic', telling, false), batch);
    else answers.unavailable(request, 'unavailable');
  };

  const decide = async (request: VerificationRequest, itemId: string): Promise<void> => {
    const { visit } = request;
    let batch: BatchRecord | undefined;
    const claimant = { first: { atMs: visit.atMs, country: visit.country }, device: deviceOf(visit) };
    const claiming = await claims.claim(itemId, claimant, async (batchId) => {
      batch = await batchOf(batchId);
      return batch !== undefined && isServedAt(request.site, batch.workspaceId) && !request.reply.aborted;
    });
    if (claiming.kind === 'not_known') return answers.verdict(request, { verdict: 'not_known' });
    if (claiming.kind === 'first') return answerFirst(request, itemId, claiming.claim, batch!);
    if (claiming.kind === 'claimed') batch = await batchOf(claiming.item.batchId);
    if (batch && !isServedAt(request.site, batch.workspaceId))
      return answers.verdict(request, { verdict: 'not_known' });
    if (claiming.kind === 'unknown' || !batch) return answers.unavailable(request, 'unavailable');
    await answerClaimed(request, claiming.item, batch);
  };

  const answer = (request: VerificationRequest, itemId: string): Promise<void> => {
    const item = claims.held(itemId);
    const batch = item && batches.held(item.batchId);
    return item && batch && isServedAt(request.site, batch.workspaceId) && claims.answers
      ? answerClaimed(request, item, batch)
      : decide(request, itemId);
  };

  return {
    answer(request, itemId) {
      const detached = request.detach();
      waiting.during(() => answer(detached, itemId)).catch((error: unknown) => answers.fail(detached, error));
    },
    get waiting() {
      return waiting.count;
    },
  };
};
