/**
 * Scan caps: exact across processes, since each scan of a capped code takes its slot from one counter in Redis before it
 * is let through.
 *
 * A scan whose slot could not be taken in time is told to try again, and the slot is given back as soon as Redis hears of
 * it (cap-releases.ts). No stall uses up a slot, and no more phones are let through than the cap allows.
 *
 * A counter may be missing (Redis was wiped, or the cap is new on a code with scans) or may have gone back (Redis was
 * started again, or a replica took over, see cap-scripts.ts). It is then rebuilt (cap-rebuilds.ts). Scans wait for that for
 * a while; then, and whenever Redis or ClickHouse cannot be asked, they are told to try again. Nobody is ever let through
 * on a guess. A take that was under way on the lost counter takes its slot anew: it has let nobody through, so it was not
 * recorded.
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
   * @param counts false for bots, which are let through while the cap is not reached, and take nothing
   * @returns `unknown` when the count cannot be known at the moment
   */
  take(record: CappedRecord, counts: boolean): Promise<CapAnswer>;
  /** Whether the cap is known to be reached, without asking. It stays so until the record changes. */
  isSpent(record: CappedRecord): boolean;
  /** `returned`: slots that were taken for phones that had been told to try again, and that are free again. */
  readonly statistics: { taken: number; capped: number; unknown: number; rebuilt: number; returned: number };
  /** Releases the slots that wait to be released, if Redis answers soon. */
  close(): Promise<void>;
}

export interface CapOptions extends CapTimes, RebuildOptions {
  /** How long a scan waits for a Redis that does not answer, or for slots that others may give back. */
  takeWaitMs: number;
  /** Scans that wait at once; beyond it they are told to try again. */
  waitingMax: number;
  /** Codes whose cap is known to be reached that are remembered. */
  spentMax: number;
}

/** @param countRecorded scans of a code that ClickHouse has; throws when it cannot say */
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
