/**
 * The redirector processes that are alive, and up to when each has delivered its scans: every process writes its line
 * into one hash twice a second and reads all of them. Times are Redis's own, so that clocks need not agree.
 */

import { randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';

const everyMs = 500;
/** A line that is older is that of a process that is gone. */
const goneAfterMs = 5000;
/** So long after Redis has lost its data every living process has written its line again. */
const completeAfterMs = 3000;

const hashKey = 'redirectors';

// KEYS: the hash. ARGV: this process, ms for which its oldest undelivered scan has waited, ms after which a line is old.
// The field `since` is when the hash was begun. Returns the time and every line.
const beatScript = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('HSETNX', KEYS[1], 'since', now)
redis.call('HSET', KEYS[1], ARGV[1], now .. ' ' .. (now - ARGV[2]))
local lines = redis.call('HGETALL', KEYS[1])
for i = 1, #lines, 2 do
  local at = tonumber(string.match(lines[i + 1], '^%d+ ') or now)
  if at < now - ARGV[3] then redis.call('HDEL', KEYS[1], lines[i]) end
end
return {tostring(now), redis.call('HGETALL', KEYS[1])}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    registryBeat(
      keyCount: number,
      key: string,
      process: string,
      waitedMs: number,
      goneAfterMs: number,
    ): Result<[string, string[]], Context>;
  }
}

export interface RegistryState {
  /** Redis's time. */
  nowMs: number;
  processes: number;
  /** Every scan answered before this moment, by any living process, is in ClickHouse. */
  deliveredUntilMs: number;
  /** Whether every living process has had the time to write its line. */
  complete: boolean;
}

export interface Registry {
  /** As of the last beat; 1 before the first. */
  readonly processes: number;
  /** Writes this process's line and reads all. @throws when Redis is away */
  beat(): Promise<RegistryState>;
  close(): Promise<void>;
}

const parse = ([now, lines]: [string, string[]]): RegistryState => {
  const nowMs = Number(now);
  let sinceMs = nowMs;
  let deliveredUntilMs = nowMs;
  let processes = 0;
  for (let i = 0; i < lines.length; i += 2) {
    const value = lines[i + 1]!;
    if (lines[i] === 'since') sinceMs = Number(value);
    else {
      processes++;
      deliveredUntilMs = Math.min(deliveredUntilMs, Number(value.split(' ')[1]));
    }
  }
  return { nowMs, processes, deliveredUntilMs, complete: nowMs - sinceMs >= completeAfterMs };
};

/** @param waitedMs for how long the oldest scan that ClickHouse does not have has waited here; 0 if there is none */
export const joinRegistry = (redis: Redis, waitedMs: () => number, logger: Logger): Registry => {
  const name = randomUUID();
  let processes = 1;
  redis.defineCommand('registryBeat', { lua: beatScript });

  const beat = async (): Promise<RegistryState> => {
    const state = parse(await redis.registryBeat(1, hashKey, name, Math.ceil(waitedMs()), goneAfterMs));
    processes = state.processes;
    return state;
  };

  let beating: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beat().catch((error) => logger.debug({ err: error }, 'redis did not take the heartbeat'));
  }, everyMs);
  timer.unref();

  return {
    get processes() {
      return processes;
    },
    beat,
    async close() {
      clearInterval(timer);
      await beating;
      // Not to be waited for by the others; without Redis the line grows old by itself.
      await redis
        .hdel(hashKey, name)
        .catch((error) => logger.debug({ err: error }, 'redis did not take the leave'));
    },
  };
};
