/**
 * The beat of a process in the membership hash (membership.ts): one script, so that no other beat comes between its
 * reads and its writes.
 */
import type { Result } from 'ioredis';
import type { Redis } from '#shared/redis.ts';

/**
 * A line is `at until living`: when it was written, the time up to which the scans of its folder are delivered, and
 * whether a redirecting process holds the folder (1 or 0). A removed line stays as `at forever 0`, so that a process
 * that remembers the old line does not write it back.
 */
export const forever = '9999999999999';

const unopenedSuffix = ' left';

/** The id of the line that a start writes for a folder before opening it (unopened-folders.ts). */
export const unopened = (id: string): string => `${id}${unopenedSuffix}`;

// KEYS: the hash. ARGV: how many ms a line is kept, the same for a removed line or one with waiting scans; when the
// remembered hash began, how many lines are remembered, and their ids and lines; how many folders the process has left,
// and their ids with the ms since it held them; then for each folder it holds: its id, whether a process lives in it (1
// or 0), and how many ms its oldest scan has waited.
//
// The field `since` holds when the hash began, and the history of Redis (its replication id) at that time. The hash
// begins again if the history changes, or if `since` is in the future because the clock was set back; lines in the
// future are then moved to now. If the process does not remember this hash, the script writes its remembered lines,
// removed ones too, if they are newer than the hash's. The line of a folder that the process has left is removed,
// unless another process has written it since. The holder of a folder knows its waiting scans, so it removes the line
// that a start wrote before the folder was opened (unopened-folders.ts). Returns the time and every line.
const beatScript = `
local key = KEYS[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
local function parse(line)
  local at, untilMs, living = string.match(line or '', '^(%d+) (%d+) (%d)$')
  return tonumber(at or now), tonumber(untilMs or now), living
end
local function remove(id) redis.call('HSET', key, id, now .. ' ${forever} 0') end
local since = redis.call('HGET', key, 'since') or ''
local begun, of = string.match(since, '^(%d+) #(%w*)$')
if of ~= history or tonumber(begun) > now then
  since = now .. ' #' .. history
  redis.call('HSET', key, 'since', since)
end
local position = 4
local last = position + 2 * ARGV[position]
while position < last do
  local id, line = ARGV[position + 1], ARGV[position + 2]
  if ARGV[3] ~= since then
    local there = redis.call('HGET', key, id)
    local at, untilMs = parse(line)
    local thereAt, thereUntilMs = parse(there)
    if not there or at <= now and (at > thereAt or at == thereAt and untilMs > thereUntilMs) then
      redis.call('HSET', key, id, line)
    end
  end
  position = position + 2
end
position = last + 1
last = position + 2 * ARGV[position]
while position < last do
  local id, heldMs = ARGV[position + 1], ARGV[position + 2]
  local line = redis.call('HGET', key, id)
  if not line or string.sub(line, -2) == ' 0' or parse(line) <= now - heldMs then remove(id) end
  position = position + 2
end
for i = last + 1, #ARGV, 3 do
  redis.call('HSET', key, ARGV[i], now .. ' ' .. math.max(0, now - ARGV[i + 2]) .. ' ' .. ARGV[i + 1])
  local unopened = ARGV[i] .. '${unopenedSuffix}'
  local there = redis.call('HGET', key, unopened)
  if there and not string.find(there, ' ${forever} ', 1, true) then remove(unopened) end
end
local lines = redis.call('HGETALL', key)
local kept = {}
for i = 1, #lines, 2 do
  local at, untilMs, living = parse(lines[i + 1])
  if at > now then
    at, untilMs = now, untilMs > at and untilMs or untilMs - (at - now)
    lines[i + 1] = at .. ' ' .. untilMs .. ' ' .. living
    redis.call('HSET', key, lines[i], lines[i + 1])
  end
  if at < now - (untilMs == at and ARGV[1] or ARGV[2]) then redis.call('HDEL', key, lines[i])
  else
    kept[#kept + 1] = lines[i]
    kept[#kept + 1] = lines[i + 1]
  end
end
return {tostring(now), kept}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    beatMembership(
      keyCount: number,
      key: string,
      ...timesAndLines: (string | number)[]
    ): Result<[string, string[]], Context>;
  }
}

/** Twice a second, also in an idle process: it is not pipelined (shared/redis.ts). */
export const beatCommand = 'beatMembership';

/** What a process reports and remembers. */
export interface Beat {
  /** How long a line is kept; `waitedForMs`: a removed line, or one of a folder with waiting scans. */
  forgottenAfterMs: number;
  waitedForMs: number;
  /** The hash as last read: when it began, and its lines. */
  since: string;
  remembered: ReadonlyMap<string, string>;
  /** Folders that the process has left, and for how many ms. */
  left: readonly (readonly [id: string, ms: number])[];
  held: readonly { id: string; living: boolean; waitedMs: number }[];
}

/** @returns a function that sends a beat and returns Redis's time and the fields and lines of the hash, alternating */
export const createBeatScript = (redis: Redis, key: string) => {
  redis.defineCommand(beatCommand, { lua: beatScript });
  return (beat: Beat): Promise<[string, string[]]> =>
    redis.beatMembership(
      1,
      key,
      beat.forgottenAfterMs,
      beat.waitedForMs,
      beat.since,
      beat.remembered.size,
      ...[...beat.remembered].flat(),
      beat.left.length,
      ...beat.left.flatMap(([id, ms]) => [id, Math.ceil(ms)]),
      ...beat.held.flatMap(({ id, living, waitedMs }) => [id, living ? 1 : 0, Math.ceil(waitedMs)]),
    );
};
