/**
 * How a change reaches the redirectors:
 *
 *   transaction: the change + a row in the outbox ──commit──▶ publish now ──done──▶ kept for a minute, confirmed, removed
 *                                                                └─failed──▶ the sweep publishes, each second
 *
 * The sweep takes what has waited for two seconds, so that it finds only changes whose publish right after the commit has
 * failed, or whose process ended in between. Whenever Redis is back, everything of the last minute is published again: it
 * may be one that took over, and that had not yet heard of what the one before it acknowledged. A row that cannot be
 * published for a reason of its own is set aside, and the others go on.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { serializeRecord } from '#schemas/code-record.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Background } from '../../../jobs/background.ts';
import type { Code } from '../store/code.ts';
import { findCodesForRedirect } from '../store/find.ts';
import { OutdatedTimelineError, type RecordPublisher, readRecord, streamLengthMax } from './records.ts';
import { beginTimeline, createTimelineAnnouncer, readTimeline } from './timeline.ts';
import {
  claimDue,
  countOutbox,
  type Due,
  markPublished,
  type OutboxState,
  publishAgain,
  removeConfirmed,
  setAside,
  type Unpublished,
} from './unpublished-codes.ts';

const sweepIntervalMs = 1_000;
const sweepBatchMax = 500;
/** Sent at a time, so that a Redis that takes a megabyte a second acknowledges some before they time out. */
const chunkCharsMax = 2 ** 18;
const chunkRecordsMax = 100;

export interface PublishingOptions {
  pool: Pool;
  redis: Redis;
  publisher: RecordPublisher;
  background: Background;
  logger: Logger;
}

export interface PublishingStatistics extends OutboxState {
  /** Records that Redis had lost, or an older copy of, when they were confirmed. */
  rewritten: number;
  timeline: number;
}

export interface Publishing extends Closeable {
  /** Publishes a change after its commit. Never fails: what does not work now is the sweep's. */
  publishChanged(code: Code): Promise<void>;
  /** Tells redirectors that an id they may hold as unknown exists now. Never fails: their bound does the rest. */
  publishCreated(code: Code): Promise<void>;
  /** As of the last sweep. */
  readonly statistics: PublishingStatistics;
}

/** A row of the outbox, and what is to be published for it. */
interface Ready {
  due: Due;
  record: CodeRecord;
}

/** Errors that Redis answers about itself rather than about the record: everything else waits, too. */
const aboutRedis =
  /^(LOADING|BUSY|OOM|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|NOSCRIPT|UNKILLABLE)\b/;

/** Whether the record itself is why it cannot be published. */
const isOwnFault = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError' && !aboutRedis.test(error.message);

function* chunksOf(ready: readonly Ready[]): Generator<Ready[]> {
  let chunk: Ready[] = [];
  let chars = 0;
  for (const one of ready) {
    const { length } = serializeRecord(one.record);
    if (chunk.length > 0 && (chunk.length === chunkRecordsMax || chars + length > chunkCharsMax)) {
      yield chunk;
      chunk = [];
      chars = 0;
    }
    chunk.push(one);
    chars += length;
  }
  if (chunk.length > 0) yield chunk;
}

export const createPublishing = (options: PublishingOptions): Publishing => {
  const { pool, redis, publisher, background, logger } = options;
  const announceTimeline = createTimelineAnnouncer(redis, streamLengthMax);
  const statistics = { waiting: 0, published: 0, setAside: 0, rewritten: 0, timeline: 0 };
  /** Grows when a connection is made: what was acknowledged on an earlier one may be lost. */
  let connection = 0;
  let connectionSwept = 0;

  const tryPublish = async (code: Code, publish: RecordPublisher['publish']): Promise<boolean> => {
    try {
      const read = readRecord(code);
      if ('record' in read) await publish(read.record);
      else logger.error({ code: code.id, problem: read.problem }, 'a code cannot be published');
      return 'record' in read;
    } catch (error) {
      // The connection's own failure is a warning; that each request meets it is not news.
      logger.debug({ err: error, code: code.id }, 'a code could not be published at once');
      return false;
    }
  };

  let published: (Unpublished & { connection: number })[] = [];
  let marking = false;

  /** One statement at a time; what is published meanwhile goes together into the next one. */
  const markAll = async (): Promise<void> => {
    marking = true;
    try {
      while (published.length > 0) {
        const batch = published;
        published = [];
        await markPublished(
          pool,
          batch.filter((one) => one.connection === connection),
        );
      }
    } finally {
      marking = false;
    }
  };

  const leaveAside = async (due: Due, problem: string): Promise<void> => {
    logger.error({ code: due.id, problem }, 'a change cannot be published: it is set aside');
    await setAside(pool, due, problem);
  };

  /** Reads the codes as they are now: a later version may have come since. What has no record is set aside. */
  const prepare = async (dues: readonly Due[]): Promise<Ready[]> => {
    const ids = dues.map(({ id }) => id);
    const codes = new Map((await findCodesForRedirect(pool, ids)).map((code) => [code.id, code]));
    const ready: Ready[] = [];
    for (const due of dues) {
      const code = codes.get(due.id);
      const read = code ? readRecord(code) : { problem: 'there is no code with this id' };
      if ('problem' in read) await leaveAside(due, read.problem);
      // The row is about the version that was read, or an earlier one.
      else ready.push({ due: { ...due, version: code!.version }, record: read.record });
    }
    return ready;
  };

  const send = async ({ due, record }: Ready): Promise<void> => {
    if (due.state === 'waiting') await publisher.publish(record);
    else if (await publisher.confirm(record)) statistics.rewritten++;
  };

  /** What was acknowledged counts, whatever became of the others. @throws why Redis did not take one of them */
  const sendChunk = async (chunk: readonly Ready[]): Promise<void> => {
    const sentOn = connection;
    const outcomes = await Promise.allSettled(chunk.map(send));
    const isDone = (_: unknown, index: number) => outcomes[index]!.status === 'fulfilled';
    const done = chunk.filter(isDone).map(({ due }) => due);
    const [waiting, kept] = [
      done.filter(({ state }) => state === 'waiting'),
      done.filter(({ state }) => state === 'published'),
    ];
    if (waiting.length > 0 && sentOn === connection) await markPublished(pool, waiting);
    if (kept.length > 0) await removeConfirmed(pool, kept);
    let failure: unknown;
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      if (isOwnFault(outcome.reason)) await leaveAside(chunk[index]!.due, outcome.reason.message);
      // One that was read before a later timeline began is read again when it is due again.
      else if (!(outcome.reason instanceof OutdatedTimelineError)) failure = outcome.reason;
    }
    if (failure !== undefined) throw failure;
  };

  /** @returns whether there may be more */
  const sweepBatch = async (): Promise<boolean> => {
    const dues = await claimDue(pool, sweepBatchMax);
    if (dues.length === 0) return false;
    for (const chunk of chunksOf(await prepare(dues))) await sendChunk(chunk);
    return dues.length === sweepBatchMax;
  };

  /** A database that was restored to before its last timeline is on one that Redis has left: it begins one that is later. */
  const keepTimeline = async (): Promise<void> => {
    const timeline = await readTimeline(pool);
    const known = await announceTimeline(timeline);
    statistics.timeline = known;
    if (known <= timeline) return;
    logger.error({ timeline, known }, 'the database was restored to an earlier timeline: a later one begins');
    statistics.timeline = await announceTimeline(await beginTimeline(pool, known));
  };

  let sweeping = false;

  /** Ends with the first record that Redis does not take: it is away or slow. Those that it took are not sent again. */
  const sweep = async (): Promise<void> => {
    if (sweeping) return;
    sweeping = true;
    try {
      await keepTimeline();
      const sweepingOn = connection;
      if (connectionSwept !== sweepingOn) await publishAgain(pool);
      connectionSwept = sweepingOn;
      while (await sweepBatch());
      Object.assign(statistics, await countOutbox(pool));
    } finally {
      sweeping = false;
    }
  };

  const onReady = () => {
    connection++;
    background.start('publishing what waited for Redis', sweep());
  };
  redis.on('ready', onReady);
  const timer = setInterval(() => {
    if (redis.status === 'ready') background.start('publishing what waits', sweep());
  }, sweepIntervalMs);

  return {
    async publishChanged(code) {
      const sentOn = connection;
      if (!(await tryPublish(code, publisher.publish))) return;
      published.push({ id: code.id, version: code.version, connection: sentOn });
      if (!marking) background.start('marking what is published', markAll());
    },
    async publishCreated(code) {
      await tryPublish(code, publisher.publishNew);
    },
    statistics,
    async close() {
      redis.off('ready', onReady);
      clearInterval(timer);
    },
  };
};
