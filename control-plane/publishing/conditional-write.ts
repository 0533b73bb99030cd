/** The conditional write of a versioned text: to Redis, and to the change stream. */
import type { Result } from 'ioredis';
import { recordStream, timelineKey, timelineOf } from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';
import type { PublishedKind, VersionedText } from './kind.ts';

/** How long Redis keeps a text, ± 10% so that texts that are written together do not expire together. */
const recordTtlSeconds = 3600;
const recordTtlSpread = 0.1;

/** Far more than the changes of any outage after which a redirector replays the stream. */
export const streamLengthMax = 100_000;

/**
 * Writes a text unless Redis holds a newer one, and then announces it if a stream is given. An equal version is
 * written and announced again: Redis may hold it because of a lookup, without an announcement. An equal version in a later
 * format stays: a later release says more than this one can.
 *
 * KEYS: the text and the timeline; then, both optional, the stream to announce it in and the counter of a new cap. Returns -1 if
 * the database is on a later timeline by now.
 */
const writeRecordScript = `
local record, timeline, stream, counter = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, version, text, format, recordTimeline, ttl, length, onlyOver, field, onlyVersion = unpack(ARGV)
if tonumber(redis.call('GET', timeline) or 0) > tonumber(recordTimeline) then return -1 end
if counter then redis.call('SET', counter, 0, 'NX') end
local held = redis.call('GET', record) or ''
local heldVersion = tonumber(string.match(held, '^(%d+) '))
if onlyOver == '1' and not (heldVersion and heldVersion < tonumber(version)) then return 0 end
if heldVersion and heldVersion > tonumber(version) then return 0 end
local heldFormat = tonumber(string.match(held, '^%d+ (%d+) ')) or 1
if heldVersion == tonumber(version) and heldFormat > tonumber(format) then return 0 end
redis.call('SET', record, text, 'EX', ttl)
local announced = onlyVersion == '1' and version or text
if stream then redis.call('XADD', stream, 'MAXLEN', '~', length, '*', field, announced, 'id', id) end
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    writeRecord(keyCount: number, ...keysAndArguments: (string | number)[]): Result<-1 | 0 | 1, Context>;
  }
}

export interface WriteConditions {
  /** Whether it is announced on the change stream. */
  announces: boolean;
  /** Whether it is written over an older one only. */
  onlyOver: boolean;
  /** The Redis keys of new counters. */
  counters?: readonly string[] | undefined;
}

/**
 * @returns 1 if it is written, 0 if not, -1 if the database is on a later timeline by now
 * @throws if Redis is away or does not answer in time
 */
export type ConditionalWrite = (
  kind: PublishedKind,
  one: VersionedText,
  how: WriteConditions,
) => Promise<-1 | 0 | 1>;

/** @param random from 0 to 1, spreads the expiry */
export const createConditionalWrite = (redis: Redis, random: () => number): ConditionalWrite => {
  redis.defineCommand('writeRecord', { lua: writeRecordScript });
  return (kind, { id, recordVersion, text }, { announces, onlyOver, counters = [] }) => {
    const { keptSeconds = recordTtlSeconds } = kind;
    const ttlSeconds = Math.round(keptSeconds * (1 + recordTtlSpread * (2 * random() - 1)));
    const keys = [kind.keyOf(id), timelineKey, ...(announces ? [recordStream, ...counters] : [])];
    return redis.writeRecord(
      keys.length,
      ...keys,
      id,
      recordVersion,
      text,
      kind.format,
      timelineOf(recordVersion),
      ttlSeconds,
      streamLengthMax,
      onlyOver ? 1 : 0,
      kind.field,
      kind.isAnnouncedByVersion ? 1 : 0,
    );
  };
};
