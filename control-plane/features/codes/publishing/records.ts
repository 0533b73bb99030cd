/** Writes records: to Redis, and to the change stream that announces a new version to redirectors. */
import { isLocationType } from '#schemas/api/data-types.ts';
import { asciiDestination } from '#schemas/api/destination.ts';
import type { DeepLinkConfig } from '#schemas/api/routing.ts';
import {
  type AppTarget,
  type CodeRecord,
  capKey,
  codeRecord,
  recordFormat,
  recordKey,
  serializeRecord,
} from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';
import type { Code } from '../store/code.ts';
import { createConditionalWrite, type WriteConditions } from './conditional-write.ts';

/** The database is on a later timeline than the record, which must be read again. */
export class OutdatedTimelineError extends Error {
  override name = 'OutdatedTimelineError';
}

export interface RecordPublisher {
  /**
   * Replaces the record in Redis and announces it, unless a newer one is there.
   * @throws when Redis is away or does not answer in time
   * @throws {OutdatedTimelineError}
   */
  publish(record: CodeRecord): Promise<void>;
  /**
   * The same where Redis has an older one. A record that Redis has not at all is looked up by the next scan.
   * @returns whether Redis had an older one
   * @throws as {@link RecordPublisher.publish}
   */
  confirm(record: CodeRecord): Promise<boolean>;
  /**
   * Publishes a code that nobody has scanned yet: its cap, where it has one, counts from 0. Where that fails, the first
   * scan makes the counter from the recorded scans.
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
  const writeVersioned = createConditionalWrite(redis, random);

  const write = (record: CodeRecord, how: WriteConditions): Promise<-1 | 0 | 1> =>
    writeVersioned(
      {
        id: record.id,
        version: record.version,
        text: serializeRecord(record),
        key: recordKey(record.id),
        format: recordFormat,
        field: 'record',
      },
      how,
    );

  const announce = async (record: CodeRecord, counters: string[], onlyOver: boolean): Promise<boolean> => {
    const written = await write(record, { announces: true, onlyOver, counters });
    if (written < 0) throw new OutdatedTimelineError(`${record.id} was read before a later timeline began`);
    return written === 1;
  };

  return {
    async publish(record) {
      await announce(record, [], false);
    },
    confirm: (record) => announce(record, [], true),
    async publishNew(record) {
      await announce(record, record.cap ? [capKey(record.id, record.cap.epoch)] : [], false);
    },
    async fill(records) {
      await Promise.all(records.map((record) => write(record, { announces: false, onlyOver: false })));
    },
  };
};

/** The record of a code, or why it has none. */
export type Readable = { record: CodeRecord } | { problem: string };

/** The record of a code, if its row makes one that redirectors can read. Never throws. */
export const readRecord = (code: Code): Readable => {
  try {
    return { record: codeRecord.parse(toRecord(code)) };
  } catch (error) {
    return {
      problem: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error),
    };
  }
};

/** The parts of a code that a scan needs; those that are not set are absent. */
export const toRecord = (code: Code): CodeRecord => ({
  id: code.id,
  workspaceId: code.workspaceId,
  version: code.recordVersion,
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
  encryption === null && isLocationType(dataType);

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
