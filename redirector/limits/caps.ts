/**
 * Scan caps. They are exact across processes: each scan of a capped code takes its slot from one counter in Redis
 * before it is let through.
 *
 * A scan that cannot take its slot in time is asked to try again, and the slot is given back once Redis gets the
 * release (cap-releases.ts). No stall uses up a slot, and no more phones are let through than the cap allows.
 *
 * A counter may be missing (Redis was wiped, or the cap is new on a code with scans) or may have gone back (Redis was
 * restarted, or a replica took over, see cap-scripts.ts). It is then rebuilt (cap-rebuilds.ts). Scans wait a while for
 * the rebuild. After that, and whenever Redis or ClickHouse cannot be reached, they are asked to try again. No scan is
 * ever let through on a guess. A take under way on the lost counter takes a new slot: it let no phone through, so it
 * was not recorded.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CodeRecord, capKey } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Membership } from '../instance/membership.ts';
import { createRebuilds, type RebuildOptions } from './cap-rebuilds.ts';
import { createReleases } from './cap-releases.ts';
import { type CapTimes, createCapScripts } from './cap-scripts.ts';
import { type CapAnswer, createSlots } from './cap-slots.ts';

export type CappedRecord = CodeRecord & Required<Pick<CodeRecord, 'cap'>>;

export interface Caps {
  /**
   * @param counts false for bots, which are let through until the cap is reached, and take no slot
   * @returns `unknown` if the count cannot be known at the moment
   */
  take(record: CappedRecord, counts: boolean): Promise<CapAnswer>;
  /** Whether the cap is known to be reached, without asking Redis. This holds until the record changes. */
  isSpent(record: CappedRecord): boolean;
  /** `returned`: slots taken for phones that were asked to try again, and since given back. */
  readonly statistics: { taken: number; capped: number; unknown: number; rebuilt: number; returned: number };
  /** Sends the waiting releases, if Redis answers soon. */
  close(): Promise<void>;
}

export interface CapOptions extends CapTimes, RebuildOptions {
  /** How long a scan waits for an unresponsive Redis, or for slots that others may give back. */
  takeWaitMs: number;
  /** Scans that may wait at once; any further scan is asked to try again. */
  waitingMax: number;
  /** How many codes whose cap is known to be reached are remembered. */
  spentMax: number;
}

/** @param countRecorded a code's scans in ClickHouse; throws if ClickHouse cannot answer */
export const createCaps = (
  options: CapOptions,
  redis: Redis,
  membership: Membership,
  countRecorded: (record: CodeRecord) => Promise<number>,
  logger: Logger,
): Caps => {
  const spent = new LRUCache<string, number>({ max: options.spentMax });
  const answered = { taken: 0, capped: 0, unknown: 0 };
  const scripts = createCapScripts(redis, options);
  const rebuilds = createRebuilds(options, scripts, membership, countRecorded, logger);
  const takeSlot = createSlots(options.takeWaitMs, redis, scripts, rebuilds, logger);
  const releases = createReleases(redis, scripts);
  const processId = randomUUID();
  let takes = 0;
  let waiting = 0;

  const take = async (record: CappedRecord, counts: boolean): Promise<CapAnswer> => {
    if (waiting >= options.waitingMax) return 'unknown';
    const key = capKey(record.id, record.cap.epoch);
    const reservation = { key, token: `${processId}:${takes++}`, max: record.cap.max, counts };
    waiting++;
    try {
      const answer = await takeSlot(record, reservation);
      if (answer === 'capped') spent.set(key, record.cap.max);
      else if (counts) releases.add({ ...reservation, back: answer === 'unknown' });
      return answer;
    } finally {
      waiting--;
    }
  };

  return {
    async take(record, counts) {
      const answer = await take(record, counts);
      answered[answer]++;
      return answer;
    },
    isSpent: ({ id, cap }) => (spent.get(capKey(id, cap.epoch)) ?? 0) >= cap.max,
    get statistics() {
      return { ...answered, ...rebuilds.statistics, ...releases.statistics };
    },
    close: () => releases.close(),
  };
};
