/** Up to when all scans are in ClickHouse, as the redirectors say in Redis. */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import {
  foldersCompleteAfterMs,
  folderWaitedForMs,
  readFolders,
  scanFoldersKey,
} from '#shared/delivered-scans.ts';
import type { Redis } from '#shared/redis.ts';
import { createClocks, redisTime } from './clocks.ts';

/**
 * A redirector gives an INSERT up after 30 s. Until then its scans may appear with the time at which it began; before it, all
 * are there.
 */
const insertMsMax = 60_000;
/** How far a clock may be set between two measurements (clocks.ts), and those of several ClickHouse servers differ. */
const clockMsMax = 1_000;

/**
 * A scan is recorded with the time at which it came, and answered within this: a password, a cap and a record may have to be
 * waited for (redirector/capacities.ts).
 */
const answerMsMax = 15_000;

export interface Delivered {
  /**
   * Every scan that came before this is in ClickHouse, but for those of a redirector whose disk has been away for five minutes.
   * @returns undefined if that is not known: Redis is away, or has just lost its data
   */
  until(): Promise<number | undefined>;
  /** No scan will appear that was recorded before this, by the clock of ClickHouse. */
  settled(): Promise<number>;
}

export const createDelivered = (
  redis: Pick<Redis, 'time' | 'hgetall'>,
  clickhouse: Pick<ClickHouseClient, 'query'>,
): Delivered => {
  const readClocks = createClocks(redis, clickhouse);

  const answeredUntil = async (): Promise<number | undefined> => {
    try {
      const [nowMs, found] = await Promise.all([redisTime(redis), redis.hgetall(scanFoldersKey)]);
      const waitedFor = Object.entries(found).filter(
        ([, line]) => Number.parseInt(line, 10) >= nowMs - folderWaitedForMs,
      );
      const since = found.since === undefined ? [] : [['since', found.since] as [string, string]];
      const { sinceMs, deliveredUntilMs } = readFolders([...waitedFor, ...since].flat(), nowMs);
      const isKnown = sinceMs !== undefined && nowMs - sinceMs >= foldersCompleteAfterMs;
      return isKnown ? deliveredUntilMs : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    async until() {
      const answeredUntilMs = await answeredUntil();
      return answeredUntilMs === undefined ? undefined : answeredUntilMs - answerMsMax;
    },
    async settled() {
      // If one of them cannot be asked, a minute has room for both clocks.
      const clocks = await readClocks().catch(() => undefined);
      const certainMs = Date.now() - (clocks?.ownMs ?? 0) - insertMsMax;
      const answeredUntilMs = clocks && (await answeredUntil());
      if (answeredUntilMs === undefined) return certainMs;
      return Math.max(certainMs, answeredUntilMs - clocks!.redisMs - clockMsMax);
    },
  };
};
