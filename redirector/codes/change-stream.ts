/**
 * Follows the stream of changed records. It is read from the last entry seen, so that a connection that was lost
 * replays what it missed. That entry is also the witness: a stream is trimmed from its oldest end, so while the
 * witness stands in it nothing after it is gone. If it does not (trimmed too far, or Redis lost its data), everything
 * held is distrusted.
 *
 * An entry that cannot be read costs itself: it is counted, its code is doubted where it names one, and the next is read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type CodeRecord, parseRecord, recordStream, UnreadableRecordError } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';

export interface ChangeHandlers {
  apply(record: CodeRecord): void;
  /** There is a version of this code that cannot be read here. */
  doubt(id: string): void;
  /** The database is on this timeline. */
  begin(timeline: number): void;
  /** Changes may have been missed. */
  distrust(): void;
}

export interface ChangeStream {
  readonly statistics: { applied: number; gaps: number; unreadable: number; following: boolean };
  close(): Promise<void>;
}

/** Of one read; the largest records that there can be take some hundred megabytes then, ordinary ones some hundred kB. */
const entriesMax = 250;
const blockMs = 1000;
const retryMs = 100;

/** XREAD's reply for one stream: its name and its entries. Each entry has an id; what else it has is looked at by itself. */
const streamReply = z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.unknown()]))])).nullable();

/** Names and values in turn; what is none has none. */
const entryFields = z.array(z.string()).catch([]);

/** An entry of our own, which others ignore: from here on we have seen everything. */
const addWitness = async (redis: Redis): Promise<string> => {
  const id = await redis.xadd(recordStream, '*', 'follower', 'started');
  if (id === null) throw new Error('XADD gave no id');
  return id;
};

const stands = async (redis: Redis, id: string): Promise<boolean> =>
  (await redis.xrange(recordStream, id, id, 'COUNT', 1)).length === 1;

const fieldsOf = (entry: unknown): Map<string, string> => {
  const parts = entryFields.parse(entry);
  return new Map(
    Array.from({ length: Math.floor(parts.length / 2) }, (_, n) => [parts[2 * n]!, parts[2 * n + 1]!]),
  );
};

/** @param redis a connection of its own: reads block it; its command time-out must be longer than a second */
export const followChanges = (redis: Redis, handlers: ChangeHandlers, logger: Logger): ChangeStream => {
  const statistics = { applied: 0, gaps: 0, unreadable: 0, following: false };
  let stopped = false;
  let seen: string | undefined;

  const gap = (): void => {
    statistics.gaps++;
    logger.warn('changes of records may have been missed: everything held will be checked');
    handlers.distrust();
  };

  /** On every new connection: is what we saw last still there? */
  const takeUp = async (): Promise<void> => {
    if (seen !== undefined && (await stands(redis, seen))) return;
    if (seen !== undefined) gap();
    seen = await addWitness(redis);
  };

  const applyRecord = (text: string, id: string | undefined): void => {
    try {
      handlers.apply(parseRecord(text));
      statistics.applied++;
    } catch (error) {
      statistics.unreadable++;
      const doubted = id ?? (error instanceof UnreadableRecordError ? error.id : undefined);
      logger.warn({ err: error, code: doubted }, 'a changed record cannot be read');
      if (doubted !== undefined) handlers.doubt(doubted);
    }
  };

  const applyEntry = (entry: unknown): void => {
    const fields = fieldsOf(entry);
    const timeline = fields.get('timeline');
    if (timeline !== undefined && /^\d{1,8}$/.test(timeline)) handlers.begin(Number(timeline));
    const record = fields.get('record');
    if (record !== undefined) applyRecord(record, fields.get('id'));
  };

  const readOn = async (from: string): Promise<void> => {
    const reply = await redis.xread('COUNT', entriesMax, 'BLOCK', blockMs, 'STREAMS', recordStream, from);
    const entries = streamReply.parse(reply)?.[0]?.[1] ?? [];
    for (const [id, entry] of entries) {
      // Before anything of it is looked at: what it holds must not keep the next one.
      seen = id;
      applyEntry(entry);
    }
    // Asked after the read: what stands now stood while it was read.
    if (entries.length > 0 && !(await stands(redis, from))) gap();
  };

  const follow = async (): Promise<void> => {
    await takeUp();
    statistics.following = true;
    while (!stopped && redis.status === 'ready') await readOn(seen!);
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        if (redis.status === 'ready') await follow();
      } catch (error) {
        if (stopped) return;
        logger.warn({ err: error }, 'following changes of records failed: will be taken up again');
        // A read that timed out still blocks its connection.
        if (redis.status === 'ready') redis.disconnect(true);
      }
      statistics.following = false;
      if (!stopped) await sleep(retryMs);
    }
  };
  const running = run();

  return {
    statistics,
    async close() {
      stopped = true;
      redis.disconnect();
      await running;
    },
  };
};
