/** The conditional write of what is versioned: to Redis, and to the change stream. */
import type { Result } from 'ioredis';
import { recordStream, timelineKey, timelineOf } from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';

/** A record in Redis lives an hour, ± 10% so that those written together do not expire together. */
const recordTtlSeconds = 3600;
const recordTtlSpread = 0.1;

/** Far more than the changes of any outage after which a redirector replays the stream. */
export const streamLengthMax = 100_000;

/**
 * Writes a record unless Redis holds a newer one, and then announces it where a stream is given. An equal version is
 * written and announced again: Redis may hold it because of a lookup, without an announcement. An equal version in a later
 * format stays: a later release says more than this one can.
 *
 * KEYS: the record, the timeline, and, each unless there is none, the stream to announce it in and the counter of a new
 * cap. Returns -1 where the database is on a later timeline by now.
 */
const writeRecordScript = `
local record, timeline, stream, counter = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, version, text, format, recordTimeline, ttl, length, onlyOver, field = unpack(ARGV)
if tonumber(redis.call('GET', timeline) or 0) > tonumber(recordTimeline) then return -1 end
if counter then redis.call('SET', counter, 0, 'NX') end
local held = redis.call('GET', record) or ''
local heldVersion = tonumber(string.match(held, '^(%d+) '))
if onlyOver == '1' and not (heldVersion and heldVersion < tonumber(version)) then return 0 end
if heldVersion and heldVersion > tonumber(version) then return 0 end
local heldFormat = tonumber(string.match(held, '^%d+ (%d+) ')) or 1
if heldVersion == tonumber(version) and heldFormat > tonumber(format) then return 0 end
redis.call('SET', record, text, 'EX', ttl)
if stream then redis.call('XADD', stream, 'MAXLEN', '~', length, '*', field, text, 'id', id) end
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    writeRecord(keyCount: number, ...keysAndArguments: (string | number)[]): Result<-1 | 0 | 1, Context>;
  }
}

/** What is written, in a form in which versions are compared: `{version} {JSON}`. */
export interface VersionedText {
  id: string;
  version: number;
  text: string;
  /** The Redis key. */
  key: string;
  format: number;
  /** The field of the stream's entry. */
  field: string;
}

export interface WriteConditions {
  announces: boolean;
  /** Nothing is written where Redis has none, or one that is not older. */
  onlyOver: boolean;
  /** The counters of new caps. */
  counters?: readonly string[];
}

/** @returns 1 where it is written, 0 where not, -1 where the database is on a later timeline by now; throws when Redis is away */
export type ConditionalWrite = (what: VersionedText, how: WriteConditions) => Promise<-1 | 0 | 1>;

export const createConditionalWrite = (
  redis: Redis,
  random: () => number = Math.random,
): ConditionalWrite => {
  redis.defineCommand('writeRecord', { lua: writeRecordScript });
  return ({ id, version, text, key, format, field }, { announces, onlyOver, counters = [] }) => {
    const ttlSeconds = Math.round(recordTtlSeconds * (1 + recordTtlSpread * (2 * random() - 1)));
    const keys = [key, timelineKey, ...(announces ? [recordStream, ...counters] : [])];
    return redis.writeRecord(
      keys.length,
      ...keys,
      id,
      version,
      text,
      format,
      timelineOf(version),
      ttlSeconds,
      streamLengthMax,
      onlyOver ? 1 : 0,
      field,
    );
  };
};
