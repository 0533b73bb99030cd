/** Up to when all scans are in ClickHouse, as the redirectors say in Redis. */
import {
  foldersCompleteAfterMs,
  folderWaitedForMs,
  readFolders,
  scanFoldersKey,
} from '#shared/delivered-scans.ts';
import type { Redis } from '#shared/redis.ts';

/**
 * A redirector gives an INSERT up after 30 s. Until then its scans may appear with the time at which it began; before it, all
 * are there.
 */
const insertMsMax = 60_000;
/** The clocks of Redis and ClickHouse need not agree better. */
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
  /** No scan will appear that was recorded before this. */
  settled(): Promise<number>;
}

export const createDelivered = (redis: Redis): Delivered => {
  const answeredUntil = async (): Promise<number | undefined> => {
    try {
      const [time, found] = await Promise.all([redis.time(), redis.hgetall(scanFoldersKey)]);
      const nowMs = Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000);
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
      const certainMs = Date.now() - insertMsMax;
      return Math.max(certainMs, ((await answeredUntil()) ?? 0) - clockMsMax);
    },
  };
};
