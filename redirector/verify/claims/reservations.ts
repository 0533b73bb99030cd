/**
 * From an item to its claim: reserve in Redis, ask PostgreSQL, confirm (claim-scripts.ts). Requests of one event-loop
 * iteration are batched. If Redis does not answer in time, it may or may not have acted: the same request is retried with
 * the same token, for as long as a phone may wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { createLoopBatch } from '../../limits/loop-batch.ts';
import { claimInDatabase, type ResolveAbandoned } from './abandoned-claims.ts';
import type { ClaimScripts, ItemToken, KnownClaim, Reservation } from './claim-scripts.ts';
import type { ClaimedItem, ClaimedItems } from './claimed-items.ts';
import type { Epochs } from './epochs.ts';
import type { ItemSource } from './item-source.ts';

export interface ReservationOptions {
  /** How long a scan waits for a Redis that does not answer, or for another scan of the item. */
  waitMs: number;
  /** A confirmed claim older than this counts as abandoned by its process. */
  abandonedAfterMs: number;
}

export type ReservationOutcome =
  /** Confirmed at this moment at the earliest, on the clock of `performance`. */
  | { kind: 'first'; claim: KnownClaim; confirmedAtMs: number }
  | { kind: 'claimed'; item: ClaimedItem }
  | { kind: 'not_known' }
  | { kind: 'unknown' };

export interface ReservationParts {
  redis: Redis;
  scripts: ClaimScripts;
  epochs: Epochs;
  resolveAbandoned: ResolveAbandoned;
  source: ItemSource;
  items: ClaimedItems;
  /** Whether claims have waited so long for delivery that Redis may have forgotten them. */
  isBacklogged(): boolean;
  logger: Logger;
}

/** Between two attempts for the same item. */
const askAgainMs = 40;
/** If the answer to a confirmation takes longer, it is asked for again. */
const actWithinMs = 500;
/** Per script, which runs for a millisecond or two. */
const batchMax = 200;

export type Reserve = (
  item: ItemToken,
  claimant: Pick<KnownClaim, 'first' | 'device'>,
  usable: (batchId: string) => Promise<boolean>,
) => Promise<ReservationOutcome>;

export const createReservations = (options: ReservationOptions, parts: ReservationParts): Reserve => {
  const { redis, scripts, epochs, source, items, logger } = parts;
  const reserve = createLoopBatch(scripts.reserve, batchMax);
  const confirm = createLoopBatch(scripts.confirm, batchMax);
  const count = createLoopBatch(scripts.count, batchMax);

  /** @returns undefined if there is no answer in time */
  const ask = async <Answer>(question: Promise<Answer>, itemId: string): Promise<Answer | undefined> => {
    try {
      return await question;
    } catch (error) {
      logger.debug({ err: error, itemId }, 'a request for an item failed');
      return undefined;
    }
  };

  /** Keeps a claim from PostgreSQL, in Redis and here. */
  const keep = async (itemId: string, claim: KnownClaim): Promise<ClaimedItem | undefined> => {
    const scanCount = await ask(count({ itemId, claim, add: 0 }), itemId);
    return scanCount === undefined ? undefined : items.hold(itemId, { ...claim, scanCount });
  };

  /** Asks PostgreSQL about an item that Redis does not know. */
  const claimReserved = async (
    { itemId, token }: ItemToken,
    claimant: Pick<KnownClaim, 'first' | 'device'>,
    usable: (batchId: string) => Promise<boolean>,
  ): Promise<ReservationOutcome | 'again'> => {
    const state = parts.isBacklogged() ? undefined : await ask(source(itemId), itemId);
    if (state === undefined) return { kind: 'unknown' };
    if (state === null) return { kind: 'not_known' };
    if (state.first) {
      const item = await keep(itemId, claimInDatabase(state, state.first));
      return item ? { kind: 'claimed', item } : { kind: 'unknown' };
    }
    if (!(await usable(state.batchId))) return { kind: 'unknown' };
    const claim = { ...claimant, batchId: state.batchId, scanCount: 1 };
    const confirmedAtMs = performance.now();
    const confirmed = await ask(confirm({ itemId, token, claim }), itemId);
    if (confirmed && performance.now() - confirmedAtMs <= actWithinMs)
      return { kind: 'first', claim, confirmedAtMs };
    return 'again';
  };

  const isAbandoned = ({ isOfEarlierEpoch, ageMs }: Extract<Reservation, { kind: 'confirmed' }>): boolean =>
    isOfEarlierEpoch || ageMs > options.abandonedAfterMs;

  return async (item, claimant, usable) => {
    const { itemId } = item;
    let untilMs = performance.now() + options.waitMs;
    let hasBegun = false;
    for (;;) {
      const answer = await ask(reserve(item), itemId);
      if (answer?.kind === 'claimed') return { kind: 'claimed', item: items.hold(itemId, answer.claim) };
      if (answer?.kind === 'no epoch') {
        // Only once: a Redis that keeps losing keys never keeps an epoch.
        if (hasBegun || !(await epochs.begin())) return { kind: 'unknown' };
        hasBegun = true;
        untilMs = performance.now() + options.waitMs;
      } else if (answer?.kind === 'reserved') {
        const outcome = await claimReserved(item, claimant, usable);
        if (outcome !== 'again') return outcome;
      } else if (answer?.kind === 'confirmed' && isAbandoned(answer)) parts.resolveAbandoned(itemId, answer);
      if (redis.status !== 'ready' || performance.now() + askAgainMs > untilMs) return { kind: 'unknown' };
      await sleep(askAgainMs);
    }
  };
};
