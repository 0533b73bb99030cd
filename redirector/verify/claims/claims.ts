/**
 * Claims of serialized items: exactly once across processes, since a scan is told that it is the first only after Redis has
 * confirmed its claim (claim-scripts.ts) and the disk has the record of it.
 *
 *   in memory ─▶ in Redis ─▶ reserved ─▶ PostgreSQL ─┬─ claimed: kept in Redis and memory
 *                                                    ├─ no such item
 *                                                    └─ unclaimed: its batch ─▶ confirmed ─▶ recorded ─▶ answered ─▶ claimed
 *
 * What happens when one of them is gone in the middle:
 *
 *   reserved, not confirmed      nobody was told anything; the reservation ends with its lease
 *   confirmed, not recorded      nobody was told anything. The process gives the item back; if that is gone, the item has no verdict until
 *                                the folder it left is delivered: then PostgreSQL says that it is unclaimed
 *   recorded, not answered       it counts as claimed. The phone that gets no answer asks again, and is told that it was the first
 *   recorded, not delivered      Redis and the other processes' memory know of it; if Redis is lost, no item that it does not
 *                                know has a verdict until everything is delivered (settlement.ts)
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Membership } from '../../instance/membership.ts';
import { createReleases } from '../../limits/cap-releases.ts';
import { createAbandonedClaims } from './abandoned-claims.ts';
import { createBackgroundCounts } from './background-counts.ts';
import { type ClaimTimes, createClaimScripts, type KnownClaim } from './claim-scripts.ts';
import { type ClaimedItem, createClaimedItems } from './claimed-items.ts';
import { type BarrierOptions, createDeliveryBarrier } from './delivery-barrier.ts';
import type { ItemSource } from './item-source.ts';
import { createItemTurns } from './item-turns.ts';
import { createReservations, type ReservationOptions } from './reservations.ts';
import { createSettlement } from './settlement.ts';

/** A claim whose scan is to be recorded and answered, within a time. */
export interface FirstClaim {
  readonly batchId: string;
  /** Must be called once, when it is known whether the scan is recorded. @returns whether it may be answered as authentic */
  settle(recorded: boolean): boolean;
}

export type Claiming =
  | { kind: 'first'; claim: FirstClaim }
  | { kind: 'claimed'; item: ClaimedItem }
  | { kind: 'not_known' }
  /** Nobody can say at the moment. */
  | { kind: 'unknown' };

/** Of the scan that wants to claim. */
export type Claimant = Pick<KnownClaim, 'first' | 'device'>;

export interface ClaimOptions extends ClaimTimes, BarrierOptions, ReservationOptions {
  itemsMax: number;
  settleWaitMs: number;
  /** Scans that wait at once; beyond it they have no verdict. */
  waitingMax: number;
  /** While verifications have waited longer to be delivered, of any process, an item that Redis does not know has no verdict. */
  undeliveredMsMax: number;
}

export interface Claims {
  /** The item, if it is known to be claimed without asking anyone. */
  held(itemId: string): ClaimedItem | undefined;
  /** Counts a scan of a claimed item. */
  count(item: ClaimedItem): void;
  /** Whether Redis answers, as far as is known; if not, there are no verdicts. */
  readonly answers: boolean;
  /** Tells of a question to Redis whether it was answered. */
  heard(answered: boolean): void;
  /**
   * Claims an item, unless somebody has.
   * @param usable whether the scan can be answered where it is the first: asked before it is confirmed
   */
  claim(itemId: string, claimant: Claimant, usable: (batchId: string) => Promise<boolean>): Promise<Claiming>;
  /** Begins an epoch, so that the first scan does not wait for it. */
  prepare(): void;
  readonly statistics: {
    readonly items: number;
    readonly waiting: number;
    readonly settled: number;
    readonly returned: number;
  };
  close(): Promise<void>;
}

/** @param membership of verifications; its beats are told to `heard` */
export const createClaims = (
  options: ClaimOptions,
  redis: Redis,
  membership: Pick<Membership, 'beat' | 'waitedMs'>,
  source: ItemSource,
  logger: Logger,
): Claims => {
  const scripts = createClaimScripts(redis, options);
  const items = createClaimedItems(options.itemsMax);
  const counts = createBackgroundCounts(redis, scripts, logger);
  const untilDelivered = createDeliveryBarrier(options, membership);
  const settlement = createSettlement(options.settleWaitMs, scripts, untilDelivered, logger);
  const releases = createReleases(redis, scripts);
  const reserve = createReservations(options, {
    redis,
    scripts,
    settlement,
    resolveAbandoned: createAbandonedClaims({ scripts, untilDelivered, source, logger }),
    source,
    items,
    isBacklogged: () => membership.waitedMs > options.undeliveredMsMax,
    logger,
  });
  const processId = randomUUID();
  let attempts = 0;
  let waiting = 0;
  const turns = createItemTurns();

  const createFirst = (
    itemId: string,
    token: string,
    claim: KnownClaim,
    confirmedAtMs: number,
    done: () => void,
  ): FirstClaim => ({
    batchId: claim.batchId,
    settle(recorded) {
      const inTime = performance.now() - confirmedAtMs <= options.answerWithinMs;
      releases.add({ key: itemId, token, back: !recorded });
      if (recorded) items.hold(itemId, claim);
      done();
      return recorded && inTime;
    },
  });

  const attempt = async (
    itemId: string,
    claimant: Claimant,
    usable: (batchId: string) => Promise<boolean>,
    done: () => void,
  ): Promise<Claiming> => {
    const token = `${processId}:${attempts++}`;
    const outcome = await reserve({ itemId, token }, claimant, usable);
    if (outcome.kind === 'first') {
      const { claim, confirmedAtMs } = outcome;
      return { kind: 'first', claim: createFirst(itemId, token, claim, confirmedAtMs, done) };
    }
    // Redis may have a reservation, or a confirmation whose answer was lost.
    if (outcome.kind !== 'claimed') releases.add({ key: itemId, token, back: true });
    done();
    return outcome;
  };

  const claim: Claims['claim'] = async (itemId, claimant, usable) => {
    if (!(await turns.free(itemId, options.waitMs))) return { kind: 'unknown' };
    const item = items.get(itemId);
    if (item) return counts.redisAnswers ? { kind: 'claimed', item } : { kind: 'unknown' };
    const done = turns.take(itemId);
    try {
      return await attempt(itemId, claimant, usable, done);
    } catch (error) {
      done();
      throw error;
    }
  };

  return {
    held: (itemId) => items.get(itemId),
    count: (item) => counts.add(item),
    get answers() {
      return counts.redisAnswers;
    },
    heard: (answered) => counts.heard(answered),
    async claim(itemId, claimant, usable) {
      if (waiting >= options.waitingMax) return { kind: 'unknown' };
      waiting++;
      try {
        return await claim(itemId, claimant, usable);
      } finally {
        waiting--;
      }
    },
    prepare: () => void settlement.settle(),
    get statistics() {
      return { items: items.size, waiting, ...settlement.statistics, ...releases.statistics };
    },
    close: () => releases.close(),
  };
};
