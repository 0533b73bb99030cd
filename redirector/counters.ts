/**
 * Scan caps: exact across processes, since each scan of a capped code takes its number from one counter in Redis
 * before it is let through. All takes of an event-loop turn are one script.
 *
 * A counter that is missing (Redis was wiped, or the cap is new on a code with scans) is rebuilt from what was
 * recorded before anything is let through: first every living process must have delivered what it answered before,
 * then ClickHouse is asked, then the counter is set if it still is missing. Scans wait for that for a while; then, and
 * whenever Redis or ClickHouse cannot be asked, they are told to come again. Nobody is ever let through on a guess.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { CodeRecord } from '#schemas/code-record.ts';
import { capKey } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Registry } from './registry.ts';

export type CapAnswer = 'taken' | 'capped' | 'unknown';

export type CappedRecord = CodeRecord & Required<Pick<CodeRecord, 'cap'>>;

export interface Counters {
  /**
   * @param counts whether this scan is one: bots are let through while the cap is not reached, and take nothing
   * @returns `unknown` when the count cannot be known at the moment
   */
  take(record: CappedRecord, counts: boolean): Promise<CapAnswer>;
  /** Whether the cap is known to be reached, without asking. It stays so until the record changes. */
  isSpent(record: CappedRecord): boolean;
  readonly statistics: { taken: number; capped: number; unknown: number; rebuilt: number };
}

export interface CounterOptions {
  /** Codes whose cap is known to be reached that are remembered. */
  spentMax: number;
  /** How long a scan waits for a counter that is being rebuilt. */
  rebuildWaitMs: number;
  /** A rebuild that takes longer fails. */
  rebuildTimeoutMs: number;
}

// KEYS: counters. ARGV: for each its cap and how much to take (1, or 0 to look only).
// Gives for each 1 (let through), 0 (the cap is reached) or -1 (no such counter).
const takeScript = `
local answers = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('GET', key)
  if not count then answers[i] = -1
  elseif tonumber(count) >= tonumber(ARGV[2 * i - 1]) then answers[i] = 0
  else
    if ARGV[2 * i] == '1' then redis.call('INCR', key) end
    answers[i] = 1
  end
end
return answers`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeScans(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
  }
}

/** A record changes everywhere within this time of its announcement; one that is cut off longer is not followed. */
const settleMs = 1000;
const pollMs = 200;

interface Take {
  key: string;
  max: number;
  counts: boolean;
  resolve(answer: number): void;
  reject(error: unknown): void;
}

/** @param countRecorded scans of a code that ClickHouse has; throws when it cannot say */
export const createCounters = (
  options: CounterOptions,
  redis: Redis,
  registry: Registry,
  countRecorded: (record: CodeRecord) => Promise<number>,
  logger: Logger,
): Counters => {
  const spent = new LRUCache<string, number>({ max: options.spentMax });
  const rebuilds = new Map<string, Promise<boolean>>();
  const statistics = { taken: 0, capped: 0, unknown: 0, rebuilt: 0 };
  let waiting: Take[] = [];
  redis.defineCommand('takeScans', { lua: takeScript });

  const takeWaiting = async (): Promise<void> => {
    const takes = waiting;
    waiting = [];
    try {
      const keys = takes.map(({ key }) => key);
      const answers = await redis.takeScans(
        keys.length,
        ...keys,
        ...takes.flatMap(({ max, counts }) => [max, counts ? 1 : 0]),
      );
      for (const [index, take] of takes.entries()) take.resolve(answers[index]!);
    } catch (error) {
      for (const take of takes) take.reject(error);
    }
  };

  const ask = (key: string, max: number, counts: boolean): Promise<number> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, max, counts, resolve, reject }) === 1) setImmediate(takeWaiting);
    });

  /** Waits until what every process answered up to now is in ClickHouse. */
  const untilDelivered = async (): Promise<void> => {
    const deadlineMs = Date.now() + options.rebuildTimeoutMs;
    const barrierMs = (await registry.beat()).nowMs + settleMs;
    for (;;) {
      const { complete, deliveredUntilMs } = await registry.beat();
      if (complete && deliveredUntilMs > barrierMs) return;
      if (Date.now() > deadlineMs) throw new Error('scans are not delivered in time');
      await sleep(pollMs);
    }
  };

  /** @returns whether the counter is there now */
  const rebuild = async (record: CodeRecord, key: string): Promise<boolean> => {
    try {
      await untilDelivered();
      const count = await countRecorded(record);
      await redis.set(key, count, 'NX');
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

  const askOrRebuild = async (record: CappedRecord, key: string, counts: boolean): Promise<number> => {
    const answer = await ask(key, record.cap.max, counts);
    if (answer >= 0 || !(await rebuilt(record, key))) return answer;
    return await ask(key, record.cap.max, counts);
  };

  const take = async (record: CappedRecord, counts: boolean): Promise<CapAnswer> => {
    const key = capKey(record.id, record.cap.epoch);
    try {
      const answer = await askOrRebuild(record, key, counts);
      if (answer === 1) return 'taken';
      if (answer < 0) return 'unknown';
      spent.set(key, record.cap.max);
      return 'capped';
    } catch (error) {
      logger.debug({ err: error, code: record.id }, 'scan counter cannot be asked');
      return 'unknown';
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
  };
};
