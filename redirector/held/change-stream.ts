/**
 * Follows the change stream. It is read from the last entry seen, so that after a lost connection the missed entries are
 * replayed. That entry is also the witness: a stream is trimmed from its oldest end, so while the witness is in it no
 * later entry is gone. If it is not (the stream was trimmed too far, or Redis lost its data), all records are invalidated.
 *
 * A read that brings less than it could tells that everything up to its start has been applied. A connection that dies
 * silently is noticed when a read is not answered in time; up to then the stream counts as followed.
 *
 * An entry that cannot be read costs itself: it is counted, the code that it names is invalidated, and the next is read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type CodeRecord, parseRecord, recordStream, UnreadableRecordError } from '#schemas/code-record.ts';
import { documentField } from '#schemas/documents.ts';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { type Redis, reconnect } from '#shared/redis.ts';
import { createSparseLog } from '#shared/sparse-log.ts';

/** What holds something that the stream tells of. */
export interface Following {
  /** Changes may have been missed. */
  invalidateAll(): void;
  /** The database is on this timeline. */
  enterTimeline(timeline: number): void;
  /** Every change between the two moments, of performance.now, has been applied, and later ones are applied as they come. */
  follow(sinceMs: number, untilMs: number): void;
  /** From now on changes do not come, until the next {@link Following.follow}. */
  unfollow(): void;
}

export interface ChangeHandlers extends Following {
  apply(record: CodeRecord): void;
  /** There is a version of this code that cannot be read here. */
  invalidate(id: string): void;
}

/** What holds documents, which the stream carries beside the records. */
export interface DocumentHandlers extends Following {
  /** @param text as `serializeDocument` writes it, or anything */
  applyDocument(id: string, text: string): void;
}

export interface ChangeStream {
  readonly statistics: { applied: number; gaps: number; unreadable: number; following: boolean };
  close(): Promise<void>;
}

/** The most changes of one read: some hundred kB of ordinary records, some hundred megabytes of the largest that there can be. */
const entriesMax = 250;
const blockMs = 1000;
const retryMs = 100;

/** XREAD's reply for one stream: its name and its entries. Each entry has an id; its fields are parsed by themselves. */
const streamReply = z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.unknown()]))])).nullable();

/** Names and values in turn. An entry of another form has no fields. */
const entryFields = z.array(z.string()).catch([]);

/** Adds an entry of our own, which others ignore: every later change comes after it. */
const addWitness = async (redis: Redis): Promise<string> => {
  const id = await redis.xadd(recordStream, '*', 'follower', 'started');
  if (id === null) throw new Error('XADD gave no id');
  return id;
};

const isInStream = async (redis: Redis, id: string): Promise<boolean> =>
  (await redis.xrange(recordStream, id, id, 'COUNT', 1)).length === 1;

const fieldsOf = (entry: unknown): Map<string, string> => {
  const parts = entryFields.parse(entry);
  return new Map(
    Array.from({ length: Math.floor(parts.length / 2) }, (_, n) => [parts[2 * n]!, parts[2 * n + 1]!]),
  );
};

/** Hands an entry of the stream to those whom it concerns. One that cannot be read costs itself. */
const createApplyEntry = (
  handlers: ChangeHandlers,
  documents: readonly DocumentHandlers[],
  statistics: ChangeStream['statistics'],
  logger: Logger,
): ((entry: unknown) => void) => {
  const applyRecord = (text: string, id: string | undefined): void => {
    try {
      handlers.apply(parseRecord(text));
      statistics.applied++;
    } catch (error) {
      statistics.unreadable++;
      const code = id ?? (error instanceof UnreadableRecordError ? error.id : undefined);
      logger.warn({ err: error, code }, 'a changed record cannot be read');
      if (code !== undefined) handlers.invalidate(code);
    }
  };

  return (entry) => {
    const fields = fieldsOf(entry);
    const timeline = fields.get('timeline');
    if (timeline !== undefined && /^\d{1,8}$/.test(timeline))
      for (const follower of [handlers, ...documents]) follower.enterTimeline(Number(timeline));
    const record = fields.get('record');
    const id = fields.get('id');
    if (record !== undefined) applyRecord(record, id);
    const document = fields.get(documentField);
    if (document !== undefined && id !== undefined)
      for (const held of documents) held.applyDocument(id, document);
  };
};

/** @param redis a connection of its own: reads block it; its command time-out must be longer than a second */
export const followChanges = (
  redis: Redis,
  handlers: ChangeHandlers,
  logger: Logger,
  documents: readonly DocumentHandlers[] = [],
): ChangeStream => {
  const followers: readonly Following[] = [handlers, ...documents];
  const statistics = { applied: 0, gaps: 0, unreadable: 0, following: false };
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  let stopped = false;
  let seen: string | undefined;
  /** Every change after this moment is after the witness. */
  let sinceMs = 0;
  let isFollowed = false;

  const gap = (): void => {
    statistics.gaps++;
    logger.warn('changes of records may have been missed: every held record will be revalidated');
    for (const follower of followers) follower.invalidateAll();
  };

  /** On every new connection: starts again if the last entry seen is gone. */
  const resume = async (): Promise<void> => {
    if (seen !== undefined && (await isInStream(redis, seen))) return;
    if (seen !== undefined) gap();
    seen = await addWitness(redis);
    sinceMs = performance.now();
  };

  const applyEntry = createApplyEntry(handlers, documents, statistics, logger);

  const readNext = async (from: string): Promise<void> => {
    const startedAtMs = performance.now();
    const reply = await redis.xread('COUNT', entriesMax, 'BLOCK', blockMs, 'STREAMS', recordStream, from);
    const entries = streamReply.parse(reply)?.[0]?.[1] ?? [];
    for (const [id, entry] of entries) {
      // Before the entry is parsed: its contents must not keep the next one from being read.
      seen = id;
      applyEntry(entry);
    }
    // Asked after the read: an entry that is in the stream now was in it during the read.
    if (entries.length > 0 && !(await isInStream(redis, from))) gap();
    if (entries.length === entriesMax) return;
    isFollowed = true;
    for (const follower of followers) follower.follow(sinceMs, startedAtMs);
  };

  const unfollow = (): void => {
    statistics.following = false;
    if (isFollowed) for (const follower of followers) follower.unfollow();
    isFollowed = false;
  };

  const follow = async (): Promise<void> => {
    await resume();
    statistics.following = true;
    while (!stopped && redis.status === 'ready') await readNext(seen!);
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        if (redis.status === 'ready') await follow();
      } catch (error) {
        unfollow();
        if (stopped) return;
        warn(messageOf(error), { err: error }, 'the change stream cannot be read: will be tried again');
        // A read that timed out still blocks its connection.
        if (redis.status === 'ready') await reconnect(redis);
      }
      unfollow();
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
