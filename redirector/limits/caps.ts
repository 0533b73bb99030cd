/**
 * Scan caps: exact across processes, since each scan of a capped code takes its slot from one counter in Redis before it
 * is let through. All takes of an event-loop turn are one script.
 *
 * A take has a token, see cap-scripts.ts. Where Redis does not answer in time, nobody knows whether it took the slot: the
 * take is sent again, with the same token, for as long as a phone may wait; then the phone is told to come again, and the
 * slot is given back as soon as Redis hears of it. No stall uses up a slot, and no more phones are let through than may.
 *
 * A counter that is missing (Redis was wiped, or the cap is new on a code with scans), or that may have gone back (Redis
 * was started again, or a replica took over, see cap-scripts.ts), is rebuilt from what was recorded before anything is let
 * through: first every living process must have delivered what it answered before, then ClickHouse is asked, then the
 * counter is set if it still is missing. Scans wait for that for a while; then, and whenever Redis or ClickHouse cannot be
 * asked, they are told to come again. Nobody is ever let through on a guess. A take that was under way on the counter that
 * is gone takes its slot anew: it has let nobody through, so it was not recorded.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { CodeRecord } from '#schemas/code-record.ts';
import { capKey } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Membership } from '../instance/membership.ts';
import { createReleases } from './cap-releases.ts';
import { absent, busy, type CapTimes, capped, createCapScripts, type Reservation } from './cap-scripts.ts';
import { createTurnBatch } from './turn-batch.ts';

export type CapAnswer = 'taken' | 'capped' | 'unknown';

export type CappedRecord = CodeRecord & Required<Pick<CodeRecord, 'cap'>>;

export interface Caps {
  /**
   * @param counts whether this scan is one: bots are let through while the cap is not reached, and take nothing
   * @returns `unknown` when the count cannot be known at the moment
   */
  take(record: CappedRecord, counts: boolean): Promise<CapAnswer>;
  /** Whether the cap is known to be reached, without asking. It stays so until the record changes. */
  isSpent(record: CappedRecord): boolean;
  /** `returned`: slots that were taken for phones that had been told to come again, and that are free again. */
  readonly statistics: { taken: number; capped: number; unknown: number; rebuilt: number; returned: number };
  /** Gives back what is to be given back, if Redis answers soon. */
  close(): Promise<void>;
}

export interface CapOptions extends CapTimes {
  /** How long a scan waits for a Redis that does not answer, or for slots that others may give back. */
  takeWaitMs: number;
  /** Scans that wait at once; beyond it they are told to come again. */
  waitingMax: number;
  /** Codes whose cap is known to be reached that are remembered. */
  spentMax: number;
  /** How long a scan waits for a counter that is being rebuilt. */
  rebuildWaitMs: number;
  /** A rebuild that takes longer fails. */
  rebuildTimeoutMs: number;
}

/** A record changes everywhere within this time of its announcement; one that is cut off longer is not followed. */
const settleMs = 1000;
const pollMs = 200;

/** Between two questions for the same slot. */
const askAgainMs = 50;
/**
 * Whoever hears of a confirmation later than this asks again. A rebuild waits longer, `settleMs`, before it counts what was
 * recorded: so nobody is let through by a counter that is gone after its scans were counted.
 */
const actWithinMs = 500;
/** In one script: it runs for a millisecond. */
const batchMax = 250;

/** @param countRecorded scans of a code that ClickHouse has; throws when it cannot say */
export const createCaps = (
  options: CapOptions,
  redis: Redis,
  membership: Membership,
  countRecorded: (record: CodeRecord) => Promise<number>,
  logger: Logger,
): Caps => {
  const spent = new LRUCache<string, number>({ max: options.spentMax });
  const rebuilds = new Map<string, Promise<boolean>>();
  const statistics = { taken: 0, capped: 0, unknown: 0, rebuilt: 0, returned: 0 };
  const scripts = createCapScripts(redis, options);
  const reserve = createTurnBatch(scripts.reserve, batchMax);
  const confirm = createTurnBatch(scripts.confirm, batchMax);
  const releases = createReleases(redis, scripts, (returned) => {
    statistics.returned += returned;
  });
  const process = randomUUID();
  let takes = 0;
  let waiting = 0;

  /** Waits until what every process answered up to now is in ClickHouse. */
  const untilDelivered = async (): Promise<void> => {
    const deadlineMs = Date.now() + options.rebuildTimeoutMs;
    const barrierMs = (await membership.beat()).nowMs + settleMs;
    for (;;) {
      const { complete, deliveredUntilMs } = await membership.beat();
      if (complete && deliveredUntilMs > barrierMs) return;
      if (Date.now() > deadlineMs) throw new Error('scans are not delivered in time');
      await sleep(pollMs);
    }
  };

  /** @returns whether the counter is there now */
  const rebuild = async (record: CodeRecord, key: string): Promise<boolean> => {
    try {
      const history = await scripts.history();
      await untilDelivered();
      const count = await countRecorded(record);
      if (!(await scripts.restore(key, count, history))) throw new Error('Redis was restarted meanwhile');
      statistics.rebuilt++;
      logger.info({ code: record.id, count }, 'scan counter rebuilt from what was recorded');
      return true;
    } catch (error) {
      logger.warn({ err: error, code: record.id }, 'scan counter cannot be rebuilt');
      return false;
    } finally {
      rebuilds.delete(key);
    }
  };

  const rebuilt = (record: CodeRecord, key: string): Promise<boolean> => {
    let rebuilding = rebuilds.get(key);
    if (rebuilding === undefined) {
      rebuilding = rebuild(record, key);
      rebuilds.set(key, rebuilding);
    }
    return Promise.race([rebuilding, sleep(options.rebuildWaitMs, false)]);
  };

  /** @returns undefined where Redis did not answer in time */
  const ask = async (question: Promise<number>, code: string): Promise<number | undefined> => {
    try {
      return await question;
    } catch (error) {
      logger.debug({ err: error, code }, 'scan counter cannot be asked');
      return undefined;
    }
  };

  /** Whether the reservation is confirmed, and was just now. */
  const isConfirmed = async (reservation: Reservation, code: string): Promise<boolean> => {
    const askedAtMs = performance.now();
    const answer = await ask(confirm(reservation), code);
    return answer === 1 && performance.now() - askedAtMs <= actWithinMs;
  };

  /** Sends the same take again until it is known what became of it, or nobody waits for it any more. */
  const settle = async (record: CappedRecord, reservation: Reservation): Promise<CapAnswer> => {
    let untilMs = performance.now() + options.takeWaitMs;
    for (;;) {
      const answer = await ask(reserve(reservation), record.id);
      if (answer === capped) return 'capped';
      if (answer === absent) {
        if (!(await rebuilt(record, reservation.key))) return 'unknown';
        untilMs = performance.now() + options.takeWaitMs;
      } else if (answer !== undefined && answer !== busy) {
        if (!reservation.counts || (await isConfirmed(reservation, record.id))) return 'taken';
      }
      if (redis.status !== 'ready' || performance.now() + askAgainMs > untilMs) return 'unknown';
      await sleep(askAgainMs);
    }
  };

  const take = async (record: CappedRecord, counts: boolean): Promise<CapAnswer> => {
    if (waiting >= options.waitingMax) return 'unknown';
    const key = capKey(record.id, record.cap.epoch);
    const reservation = { key, token: `${process}:${takes++}`, max: record.cap.max, counts };
    waiting++;
    try {
      const answer = await settle(record, reservation);
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
      statistics[answer]++;
      return answer;
    },
    isSpent: ({ id, cap }) => (spent.get(capKey(id, cap.epoch)) ?? 0) >= cap.max,
    statistics,
    close: () => releases.close(),
  };
};
