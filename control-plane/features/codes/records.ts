/** What the redirector is told of a code: the record in Redis, and the stream that announces a new version. */
import type { Result } from 'ioredis';
import { asciiDestination } from '#schemas/api/destination.ts';
import type { DeepLinkConfig } from '#schemas/api/routing.ts';
import {
  type AppTarget,
  type CodeRecord,
  capKey,
  recordKey,
  recordStream,
  serializeRecord,
} from '#schemas/code-record.ts';
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
 *
 * KEYS: the record, the stream to announce it in, and the counter of a cap that is new, each unless there is none.
 */
const writeRecordScript = `
if KEYS[3] then redis.call('SET', KEYS[3], 0, 'NX') end
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
   * Publishes a code that no one has scanned yet: its cap, where it has one, counts from 0. Where that fails, the
   * first scan has the counter made from what was recorded.
   * @throws when Redis is away or does not answer in time
   */
  publishNew(record: CodeRecord): Promise<void>;
  /**
   * Puts looked-up records where the next lookup finds them; announces nothing.
   * @throws when Redis is away or does not answer in time
   */
  fill(records: readonly CodeRecord[]): Promise<void>;
}

export const createRecordPublisher = (redis: Redis, random: () => number = Math.random): RecordPublisher => {
  redis.defineCommand('writeRecord', { lua: writeRecordScript });

  const write = (record: CodeRecord, more: readonly string[]): Promise<unknown> => {
    const ttlSeconds = Math.round(recordTtlSeconds * (1 + recordTtlSpread * (2 * random() - 1)));
    const keys = [recordKey(record.id), ...more];
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
    async publishNew(record) {
      const counters = record.cap ? [capKey(record.id, record.cap.epoch)] : [];
      await write(record, [recordStream, ...counters]);
    },
    async fill(records) {
      await Promise.all(records.map((record) => write(record, [])));
    },
  };
};

/** What a scan needs of a code; what is not set is absent. */
export const toRecord = (code: Code): CodeRecord => ({
  id: code.id,
  workspaceId: code.workspaceId,
  version: code.version,
  active: code.status === 'active',
  ...(code.dataType !== 'url' && { dataType: code.dataType }),
  destination: isLocation(code) ? asciiDestination(code.destination) : code.destination,
  ...(code.encryption && { encrypted: code.encryption }),
  ...(code.passwordProtected && { passwordProtected: true as const }),
  ...(code.expiresAt && { expiresAtMs: code.expiresAt.getTime() }),
  ...(code.maxScans !== null && { cap: { max: code.maxScans, epoch: code.capEpoch! } }),
  ...(code.sources && { sources: code.sources.map(({ id }) => id) }),
  ...(code.routingRules && { rules: code.routingRules.map(withLocation) }),
  ...(code.campaign?.status === 'active' && { variants: code.campaign.variants.map(withLocation) }),
  ...(code.deepLinkConfig && { deepLink: toDeepLink(code.deepLinkConfig) }),
});

const isLocation = ({ dataType, encryption }: Code): boolean =>
  encryption === null && (dataType === 'url' || dataType === 'gs1');

const withLocation = <Target extends { destination: string }>(target: Target): Target => ({
  ...target,
  destination: asciiDestination(target.destination),
});

const toAppTarget = (url: string, storeUrl: string | undefined): AppTarget => ({
  url: asciiDestination(url),
  ...(storeUrl !== undefined && { storeUrl: asciiDestination(storeUrl) }),
});

const toDeepLink = ({ ios, android }: DeepLinkConfig): CodeRecord['deepLink'] => ({
  ...(ios && { ios: toAppTarget(ios.url, ios.appStoreUrl) }),
  ...(android && { android: toAppTarget(android.url, android.playStoreUrl) }),
});
