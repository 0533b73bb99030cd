/**
 * The state of a cap in Redis, and the three steps of a take. Each step may be sent again:
 *
 *   reserve(token) ──▶ reserved: a slot is kept for the token until its lease ends
 *   confirm(token) ──▶ confirmed: counted, and only now a phone is let through
 *   release(token) ──▶ kept for good, or given back if no phone was let through
 *
 * A token sent twice takes one slot. A process that dies with a reservation has let no phone through: its lease ends
 * and the slot is free. A process that dies between confirming and answering may have let a phone through: its slot
 * stays taken. While some tokens may still give their slot back, a full cap is busy, not reached.
 *
 * A counter is valid only in the history of Redis in which it was set. Redis identifies its history itself: it gets a
 * new replication id whenever it starts and whenever a replica takes over, and in both cases it may continue from a
 * copy that is a moment old. A counter of an earlier history counts as missing. Each script asks the Redis that runs
 * it, which takes 4 µs, so no process can be wrong about it.
 */
import type { Result } from 'ioredis';
import { capHistoryKey } from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';

/** Answers of `reserve`. `confirmed`: the token was confirmed before. */
export const reserved = 1;
export const confirmed = 3;
export const busy = 2;
export const capped = 0;
/** The counter is missing or of an earlier history, and must be rebuilt. */
export const absent = -1;

const historyFunction = `
local function history() return string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or '' end`;

// KEYS: per take its counter, its reservations, its open confirmations and the counter's history. ARGV: the lease in
// ms, then per take its cap, its token and whether it counts (1, or 0 to look only).
const reserveScript = `${historyFunction}
local current = history()
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local lease = tonumber(ARGV[1])
local answers = {}
for i = 1, #KEYS / 4 do
  local counter, reserved, open, of = KEYS[4 * i - 3], KEYS[4 * i - 2], KEYS[4 * i - 1], KEYS[4 * i]
  local max, token, counts = tonumber(ARGV[3 * i - 1]), ARGV[3 * i], ARGV[3 * i + 1]
  local count = tonumber(redis.call('GET', counter) or -1)
  redis.call('ZREMRANGEBYSCORE', reserved, '-inf', now)
  if count < 0 or redis.call('GET', of) ~= current then answers[i] = -1
  elseif redis.call('ZSCORE', reserved, token) then answers[i] = 1
  elseif redis.call('ZSCORE', open, token) then answers[i] = 3
  elseif count >= max then
    redis.call('ZREMRANGEBYSCORE', open, '-inf', now)
    answers[i] = redis.call('ZCARD', open) > 0 and 2 or 0
  elseif counts == '0' then answers[i] = 1
  elseif count + redis.call('ZCARD', reserved) >= max then answers[i] = 2
  else
    redis.call('ZADD', reserved, now + lease, token)
    redis.call('PEXPIRE', reserved, lease)
    answers[i] = 1
  end
end
return answers`;

// KEYS: as above. ARGV: for how many ms a slot may be given back, then the token of each take. Returns 1, 0 if the
// token holds no reservation, or -1 if there is no counter of this history.
const confirmScript = `${historyFunction}
local current = history()
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local openMs = tonumber(ARGV[1])
local answers = {}
for i = 1, #KEYS / 4 do
  local counter, reserved, open, of = KEYS[4 * i - 3], KEYS[4 * i - 2], KEYS[4 * i - 1], KEYS[4 * i]
  local token = ARGV[i + 1]
  if redis.call('EXISTS', counter) == 0 or redis.call('GET', of) ~= current then answers[i] = -1
  elseif redis.call('ZSCORE', open, token) then answers[i] = 1
  elseif redis.call('ZREM', reserved, token) == 0 then answers[i] = 0
  else
    redis.call('INCR', counter)
    redis.call('ZADD', open, now + openMs, token)
    redis.call('PEXPIRE', open, openMs)
    answers[i] = 1
  end
end
return answers`;

// KEYS: as above. ARGV: per take its token and whether to give the slot back (1 or 0). Returns for each whether a slot
// was given back.
const releaseScript = `
local answers = {}
for i = 1, #KEYS / 4 do
  local counter, reserved, open = KEYS[4 * i - 3], KEYS[4 * i - 2], KEYS[4 * i - 1]
  local token, back = ARGV[2 * i - 1], ARGV[2 * i] == '1'
  answers[i] = 0
  if redis.call('ZREM', open, token) == 1 then
    if back and redis.call('EXISTS', counter) == 1 then
      redis.call('DECR', counter)
      answers[i] = 1
    end
  elseif back then answers[i] = redis.call('ZREM', reserved, token) end
end
return answers`;

// KEYS: as above, for one counter. ARGV: the history in which the scans were counted, and their number. The counter is
// set to that number, or, if it is more, to the count of the earlier history less the slots that could still be given
// back: the phone of such a slot was let through and is recorded, or takes a slot again. Returns whether the counter is
// now of this history.
const restoreScript = `${historyFunction}
local counter, reserved, open, of = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if history() ~= ARGV[1] then return 0 end
local earlier = tonumber(redis.call('GET', counter) or 0)
if redis.call('EXISTS', counter) == 1 and redis.call('GET', of) == ARGV[1] then return 1 end
redis.call('SET', counter, math.max(earlier - redis.call('ZCARD', open), tonumber(ARGV[2])))
redis.call('SET', of, ARGV[1])
redis.call('DEL', reserved, open)
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    reserveScans(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
    confirmScans(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
    releaseScans(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
    restoreScans(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number, Context>;
    historyOfRedis(keyCount: number): Result<string, Context>;
  }
}

export interface SlotReservation {
  /** The key of the counter. */
  key: string;
  token: string;
  max: number;
  counts: boolean;
}

export interface Release extends Pick<SlotReservation, 'key' | 'token'> {
  /** Whether the slot is given back because no phone was let through. */
  back: boolean;
}

export interface CapScripts {
  reserve(takes: readonly SlotReservation[]): Promise<number[]>;
  confirm(takes: readonly SlotReservation[]): Promise<number[]>;
  release(releases: readonly Release[]): Promise<number[]>;
  /** The current history of Redis. */
  history(): Promise<string>;
  /**
   * Sets a missing counter.
   * @param history the current one before the scans were counted
   * @returns false if the history has changed since: the scans must be counted again
   */
  restore(key: string, count: number, history: string): Promise<boolean>;
}

export interface CapTimes {
  /** How long an unconfirmed reservation is kept. */
  leaseMs: number;
  /** How long after its confirmation a slot may be given back. */
  openMs: number;
}

const keysOf = (items: readonly { key: string }[]): string[] =>
  items.flatMap(({ key }) => [key, `${key}:reserved`, `${key}:open`, capHistoryKey(key)]);

/** Each function returns an answer per item, and throws if Redis is down or does not answer in time. */
export const createCapScripts = (redis: Redis, { leaseMs, openMs }: CapTimes): CapScripts => {
  redis.defineCommand('reserveScans', { lua: reserveScript });
  redis.defineCommand('confirmScans', { lua: confirmScript });
  redis.defineCommand('releaseScans', { lua: releaseScript });
  redis.defineCommand('restoreScans', { lua: restoreScript });
  redis.defineCommand('historyOfRedis', { lua: `${historyFunction}\nreturn history()` });
  return {
    reserve: (takes) =>
      redis.reserveScans(
        4 * takes.length,
        ...keysOf(takes),
        leaseMs,
        ...takes.flatMap(({ max, token, counts }) => [max, token, counts ? 1 : 0]),
      ),
    confirm: (takes) =>
      redis.confirmScans(4 * takes.length, ...keysOf(takes), openMs, ...takes.map(({ token }) => token)),
    release: (releases) =>
      redis.releaseScans(
        4 * releases.length,
        ...keysOf(releases),
        ...releases.flatMap(({ token, back }) => [token, back ? 1 : 0]),
      ),
    history: () => redis.historyOfRedis(0),
    restore: async (key, count, history) =>
      (await redis.restoreScans(4, ...keysOf([{ key }]), history, count)) === 1,
  };
};
