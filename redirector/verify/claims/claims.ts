/**
 * Claims of serialized items, exactly once across processes: a scan is answered as the first only after Redis has
 * confirmed its claim (claim-scripts.ts) and its record is on disk.
 *
 *   in memory ─▶ in Redis ─▶ reserved ─▶ PostgreSQL ─┬─ claimed: kept in Redis and memory
 *                                                    ├─ no such item
 *                                                    └─ unclaimed: its batch ─▶ confirmed ─▶ recorded ─▶ answered
 *                                                                                                    ─▶ claimed
 *
 * If a process or Redis fails midway:
 *
 *   reserved, not confirmed      nothing was answered; the reservation ends with its lease
 *   confirmed, not recorded      nothing was answered. The process gives the item back; if the process is gone, the
 *                                item has no verdict until its folder is delivered and PostgreSQL calls it unclaimed
 *   recorded, not answered       the item counts as claimed. A phone that got no answer scans again, and is answered
 *                                as the device that scanned first
 *   recorded, not delivered      Redis and the memory of the other processes know of it; if Redis is lost, no item that
 *                                it does not know has a verdict until everything is delivered (epochs.ts)
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
import { createEpochs } from './epochs.ts';
import type { ItemSource } from './item-source.ts';
import { createItemsUnderWay } from './items-under-way.ts';
import { createReservations, type ReservationOptions } from './reservations.ts';

/** A claim whose scan must be recorded and answered in time. */
export interface FirstClaim {
  readonly batchId: string;
  /** Call once, when it is known whether the scan is recorded. @returns whether to answer it as authentic */
  end(recorded: boolean): boolean;
}

export type Claiming =
  | { kind: 'first'; claim: FirstClaim }
  | { kind: 'claimed'; item: ClaimedItem }
  | { kind: 'not_known' }
  /** It cannot be said at the moment. */
  | { kind: 'unknown' };

/** The scan that wants to claim. */
export type Claimant = Pick<KnownClaim, 'first' | 'device'>;

export interface ClaimOptions extends ClaimTimes, BarrierOptions, ReservationOptions {
  itemsMax: number;
  epochWaitMs: number;
  /** Scans that may wait at once; further ones have no verdict. */
  waitingMax: number;
  /**
   * If verifications of any process have waited longer for delivery, an item that Redis does not know has no verdict.
   */
  undeliveredMsMax: number;
}

export interface Claims {
  /** The item, if it is known to be claimed without a lookup. */
  held(itemId: string): ClaimedItem | undefined;
  /** Counts a scan of a claimed item. */
  count(item: ClaimedItem): void;
  /** Whether Redis answers, as far as is known; if not, there are no verdicts. */
  readonly answers: boolean;
  /** Reports whether Redis answered some other request. */
  heard(answered: boolean): void;
  /**
   * Claims an item, unless it is claimed already.
   * @param usable whether the scan can be answered if it is the first; asked before the claim is confirmed
   */
  claim(itemId: string, claimant: Claimant, usable: (batchId: string) => Promise<boolean>): Promise<Claiming>;
  /** Begins an epoch, so that the first scan need not wait for it. */
  prepare(): void;
  readonly statistics: {
    readonly items: number;
    readonly waiting: number;
    readonly epochs: number;
    readonly returned: number;
  };
  close(): Promise<void>;
}

/** @param membership of verifications; its beats are reported to `heard` */
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
  const epochs = createEpochs(options.epochWaitMs, scripts, untilDelivered, logger);
  const releases = createReleases(redis, scripts);
  const reserve = createReservations(options, {
    redis,
    scripts,
    epochs,
    resolveAbandoned: createAbandonedClaims({ scripts, untilDelivered, source, logger }),
    source,
    items,
    isBacklogged: () => membership.waitedMs > options.undeliveredMsMax,
    logger,
  });
  const processId = randomUUID();
  let attempts = 0;
  let waiting = 0;
  const underWay = createItemsUnderWay();

  const createFirst = (
    itemId: string,
    token: string,
    claim: KnownClaim,
    confirmedAtMs: number,
    done: () => void,
  ): FirstClaim => ({
    batchId: claim.batchId,
    end(recorded) {
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
    // Redis may hold a reservation, or a confirmation whose answer was lost.
    if (outcome.kind !== 'claimed') releases.add({ key: itemId, token, back: true });
    done();
    return outcome;
  };

  const claim: Claims['claim'] = async (itemId, claimant, usable) => {
    if (!(await underWay.free(itemId, options.waitMs))) return { kind: 'unknown' };
    const item = items.get(itemId);
    if (item) return counts.redisAnswers ? { kind: 'claimed', item } : { kind: 'unknown' };
    const done = underWay.take(itemId);
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
    prepare: () => void epochs.begin(),
    get statistics() {
      return { items: items.size, waiting, ...epochs.statistics, ...releases.statistics };
    },
    close: () => releases.close(),
  };
};
