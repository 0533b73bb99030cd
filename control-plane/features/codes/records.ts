/** What the redirector is told of a code: the record in Redis, and the stream that announces a new version. */
import type { Result } from 'ioredis';
import { asciiDestination } from '#schemas/api/destination.ts';
import { type CodeRecord, recordKey, recordStream, serializeRecord } from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';
import type { Code } from './store.ts';

/** A record in Redis lives an hour, ± 10% so that those written together do not expire together. */
const recordTtlSeconds = 3600;
const recordTtlSpread = 0.1;

/** Far more than the changes of any outage that a redirector is meant to replay. */
const streamLengthMax = 100_000;

/**
 * Writes a record unless a newer one is held, and then announces it where a stream is given. An equal version is
 * written and announced again: it may be held because someone has looked it up, not because it was announced.
 */
const writeRecordScript = `
local held = redis.call('GET', KEYS[1])
local heldVersion = held and tonumber(string.match(held, '^%d+'))
if heldVersion and heldVersion > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
if KEYS[2] then redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'record', ARGV[2]) end
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    writeRecord(keyCount: number, ...keysAndArguments: (string | number)[]): Result<0 | 1, Context>;
  }
}

export interface RecordPublisher {
  /**
   * Replaces the record in Redis and announces it, unless a newer one stands there.
   * @throws when Redis is away or does not answer in time
   */
  publish(record: CodeRecord): Promise<void>;
  /**
   * Puts looked-up records where the next lookup finds them; announces nothing.
   * @throws when Redis is away or does not answer in time
   */
  fill(records: readonly CodeRecord[]): Promise<void>;
}

export const createRecordPublisher = (redis: Redis, random: () => number = Math.random): RecordPublisher => {
  redis.defineCommand('writeRecord', { lua: writeRecordScript });

  const write = (record: CodeRecord, streams: readonly string[]): Promise<unknown> => {
    const ttlSeconds = Math.round(recordTtlSeconds * (1 + recordTtlSpread * (2 * random() - 1)));
    const keys = [recordKey(record.id), ...streams];
    return redis.writeRecord(
      keys.length,
      ...keys,
      record.version,
      serializeRecord(record),
      ttlSeconds,
      streamLengthMax,
    );
  };

  return {
    async publish(record) {
      await write(record, [recordStream]);
    },
    async fill(records) {
      await Promise.all(records.map((record) => write(record, [])));
    },
  };
};

export const toRecord = (code: Code): CodeRecord => ({
  id: code.id,
  workspaceId: code.workspaceId,
  version: code.version,
  active: code.status === 'active',
  destination: asciiDestination(code.destination),
});
