/**
 * The timeline that the database is on, see `versionOn` in schemas/code-record.ts. PostgreSQL keeps it, and Redis announces
 * it to redirectors. A restore of PostgreSQL takes the timeline back, too; so a later one follows from the clock, which no
 * restore takes back, and from the timeline that Redis knows.
 */
import type { Result } from 'ioredis';
import { recordStream, timelineKey } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Queryable } from '../platform/db/pool.ts';

/** A new timeline is the present minute since 1970, or the one after the last one known. */
const beginText = `
  UPDATE record_timeline
  SET timeline = greatest(timeline + 1, $1::integer, floor(extract(epoch FROM clock_timestamp()) / 60)::integer)
  RETURNING timeline`;

/**
 * From here on every version is greater than any that was given before, and redirectors check the records that they hold.
 * @param after the latest timeline that is known elsewhere
 */
export const beginTimeline = async (db: Queryable, after = 0): Promise<number> => {
  const { rows } = await db.query<{ timeline: number }>(beginText, [after + 1]);
  return rows[0]!.timeline;
};

/** The timeline that the database is on. */
export const readTimeline = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ timeline: number }>({
    name: 'read-timeline',
    text: 'SELECT timeline FROM record_timeline',
  });
  return rows[0]!.timeline;
};

// KEYS: the timeline, the stream. ARGV: the database's timeline, how long the stream may be. Returns the latest known.
const announceScript = `
local known = tonumber(redis.call('GET', KEYS[1]) or 0) or 0
local timeline = tonumber(ARGV[1])
if timeline <= known then return known end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'timeline', ARGV[1])
return timeline`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    announceTimeline(
      keyCount: number,
      key: string,
      stream: string,
      timeline: number,
      streamLengthMax: number,
    ): Result<number, Context>;
  }
}

/** Tells redirectors the timeline, unless they know a later one. @returns the latest that is known. */
export type AnnounceTimeline = (timeline: number) => Promise<number>;

export const createTimelineAnnouncer = (redis: Redis, streamLengthMax: number): AnnounceTimeline => {
  redis.defineCommand('announceTimeline', { lua: announceScript });
  return (timeline) => redis.announceTimeline(2, timelineKey, recordStream, timeline, streamLengthMax);
};

/**
 * Announces the timeline of the database. A database that was restored to before its last timeline is on one that Redis has
 * left: it begins a later one.
 * @param onKnown takes the latest timeline that is known
 */
export type KeepTimeline = (onKnown: (timeline: number) => void) => Promise<void>;

export const createTimelineKeeper =
  (db: Queryable, announce: AnnounceTimeline, logger: Logger): KeepTimeline =>
  async (onKnown) => {
    const timeline = await readTimeline(db);
    const known = await announce(timeline);
    onKnown(known);
    if (known <= timeline) return;
    logger.error({ timeline, known }, 'the database was restored to an earlier timeline: a later one begins');
    onKnown(await announce(await beginTimeline(db, known)));
  };
