/** Verifies a genuine code for a person: claim or count, record, and answer once the record is on disk. */
import { randomUUID } from 'node:crypto';
import type { VerificationAnswer, VerificationEvent } from '#schemas/verification.ts';
import type { Logger } from '#shared/logger.ts';
import { isServedAt } from '../domains/site.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Visit } from '../scan/visit.ts';
import { createWaiting } from '../scan/waiting.ts';
import type { VisitorHasher } from '../visitor/visitor-hash.ts';
import type { VerificationAnswers } from './answers.ts';
import type { ClaimedItem } from './claims/claimed-items.ts';
import type { Claims, FirstClaim } from './claims/claims.ts';
import type { Facts, FactsOf } from './facts.ts';
import type { VerificationRequest } from './request.ts';

export interface PersonParts {
  claims: Pick<Claims, 'held' | 'count' | 'answers' | 'claim'>;
  facts: FactsOf;
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
  facts: Facts;
  first: ClaimedItem['first'];
  scanCount: number;
}

const describe = (itemId: string, { batch, mark }: Facts) => ({
  itemId,
  productSku: batch.productSku ?? null,
  productName: batch.productName ?? null,
  gtin: batch.gtin ?? null,
  brandName: batch.brandName ?? null,
  notice: batch.notice ?? null,
  mark,
});

const answerOf = (
  verdict: 'authentic' | 'already_scanned',
  { itemId, facts, first, scanCount }: Telling,
  sameDevice: boolean,
): VerificationAnswer => ({
  verdict,
  ...describe(itemId, facts),
  scanCount,
  firstScannedAt: first.atMs,
  firstScanCountry: first.country || null,
  sameDevice,
});

/** The fields that events of a claim and of a later scan share. */
const eventOf = ({ atMs, country }: Visit, { itemId, facts, first }: Telling) => ({
  id: randomUUID(),
  itemId,
  batchId: facts.batch.id,
  atMs,
  country,
  first,
});

export const createPersons = (parts: PersonParts): Persons => {
  const { claims, facts: factsOf, recorder, answers, deviceMs } = parts;
  const waiting = createWaiting();
  const deviceOf = createDeviceOf(parts.visitorHasher);

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
    facts: Facts,
  ): Promise<void> => {
    const { itemId, first } = item;
    const sameDevice = isClaimant(item, request.visit);
    const telling = { itemId, facts, first, scanCount: 0 };
    const event = { ...eventOf(request.visit, telling), claimed: false, sameDevice };
    if (!(await record(request, event))) return answers.unavailable(request, 'unavailable');
    claims.count(item);
    telling.scanCount = item.scanCount + item.uncounted;
    answers.verdict(request, answerOf('already_scanned', telling, sameDevice), facts.batch);
  };

  const answerFirst = async (
    request: VerificationRequest,
    itemId: string,
    claim: FirstClaim,
    facts: Facts,
  ): Promise<void> => {
    const { atMs, country } = request.visit;
    const telling = { itemId, facts, first: { atMs, country }, scanCount: 1 };
    const event = { ...eventOf(request.visit, telling), claimed: true, sameDevice: false };
    let recorded = false;
    let isFirst = false;
    try {
      recorded = await record(request, event);
    } finally {
      isFirst = claim.end(recorded);
    }
    if (isFirst) answers.verdict(request, answerOf('authentic', telling, false), facts.batch);
    else answers.unavailable(request, 'unavailable');
  };

  /** Nothing is claimed or counted: a report of a scan would claim the item. */
  const answerMarked = (request: VerificationRequest, itemId: string, facts: Facts): void =>
    answers.verdict(request, { verdict: 'marked', ...describe(itemId, facts) }, facts.batch);

  const decide = async (request: VerificationRequest, itemId: string): Promise<void> => {
    const { visit, site, reply } = request;
    let facts: Facts | undefined;
    const claimant = { first: { atMs: visit.atMs, country: visit.country }, device: deviceOf(visit) };
    const isServed = ({ batch }: Facts): boolean => isServedAt(site, batch.workspaceId) && !reply.aborted;
    const claiming = await claims.claim(itemId, claimant, async (batchId) => {
      facts = await factsOf.load(batchId, itemId);
      return facts !== undefined && isServed(facts) && facts.mark === null;
    });
    if (claiming.kind === 'not_known') return answers.verdict(request, { verdict: 'not_known' });
    if (claiming.kind === 'first') return answerFirst(request, itemId, claiming.claim, facts!);
    if (claiming.kind === 'claimed') facts = await factsOf.load(claiming.item.batchId, itemId);
    if (facts && !isServedAt(site, facts.batch.workspaceId))
      return answers.verdict(request, { verdict: 'not_known' });
    if (facts && claiming.kind === 'claimed') return answerClaimed(request, claiming.item, facts);
    if (facts?.mark && isServed(facts)) return answerMarked(request, itemId, facts);
    answers.unavailable(request, 'unavailable');
  };

  const answer = (request: VerificationRequest, itemId: string): Promise<void> => {
    const item = claims.held(itemId);
    const facts = item && factsOf.held(item.batchId, itemId);
    return item && facts && isServedAt(request.site, facts.batch.workspaceId) && claims.answers
      ? answerClaimed(request, item, facts)
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
