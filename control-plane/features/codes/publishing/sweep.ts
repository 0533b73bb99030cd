/**
 * The sweep of what is unpublished: it publishes what waits, and confirms what was published a minute ago. It ends with the
 * first record that Redis does not take, because Redis is away or slow then; records that it took are not sent again.
 */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../db/pool.ts';
import type { ConnectionCount } from './connection.ts';
import { OutdatedTimelineError } from './records.ts';
import {
  claimDue,
  type Due,
  markPublished,
  publishAgain,
  type QueueTable,
  removeConfirmed,
  setAside,
} from './unpublished-codes.ts';

const batchMax = 500;
/** Sent at a time, so that a Redis that takes a megabyte a second acknowledges some before they time out. */
const chunkCharsMax = 2 ** 18;
const chunkRecordsMax = 100;

/** A row that is due, and the record that is to be published for it. */
interface Ready<Record> {
  due: Due;
  record: Record;
  /** Of the record as text. */
  chars: number;
}

/** What is to be published as it is now, with its version in PostgreSQL, or why there is nothing. */
export type Current<Record> = { version: number; record: Record; chars: number } | { problem: string };

/** Errors that Redis answers about itself rather than about the record: everything else waits, too. */
const aboutRedis =
  /^(LOADING|BUSY|OOM|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|NOSCRIPT|UNKILLABLE)\b/;

/** Whether the record itself is why it cannot be published. */
const isOwnFault = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError' && !aboutRedis.test(error.message);

function* chunksOf<Record>(ready: readonly Ready<Record>[]): Generator<Ready<Record>[]> {
  let chunk: Ready<Record>[] = [];
  let chars = 0;
  for (const one of ready) {
    if (chunk.length > 0 && (chunk.length === chunkRecordsMax || chars + one.chars > chunkCharsMax)) {
      yield chunk;
      chunk = [];
      chars = 0;
    }
    chunk.push(one);
    chars += one.chars;
  }
  if (chunk.length > 0) yield chunk;
}

export interface SweepOptions<Record> {
  pool: Pool;
  queue: QueueTable;
  /** Those of the ids of which something is known, as they are now. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Current<Record>>>;
  publisher: {
    publish(record: Record): Promise<void>;
    /** @returns whether Redis had an older one */
    confirm(record: Record): Promise<boolean>;
  };
  connection: Pick<ConnectionCount, 'number'>;
  /** Told of each record that Redis had lost, or an older copy of, when it was confirmed. */
  onRewritten(): void;
  logger: Logger;
}

/** @returns the sweep; it throws why Redis did not take a record */
export const createSweep = <Record>(options: SweepOptions<Record>): (() => Promise<void>) => {
  const { pool, queue, read, publisher, connection, onRewritten, logger } = options;

  const giveUp = async (due: Due, problem: string): Promise<void> => {
    logger.error({ [queue.noun]: due.id, problem }, 'a change cannot be published: it is set aside');
    await setAside(pool, due, problem, queue);
  };

  /** A later version may have come since the row was added. What cannot be read is set aside. */
  const prepare = async (dues: readonly Due[]): Promise<Ready<Record>[]> => {
    const found = await read(dues.map(({ id }) => id));
    const ready: Ready<Record>[] = [];
    for (const due of dues) {
      const current = found.get(due.id) ?? { problem: `there is no ${queue.noun} with this id` };
      if ('problem' in current) await giveUp(due, current.problem);
      // The row is about the version that was read, or an earlier one.
      else {
        const { version, record, chars } = current;
        ready.push({ due: { ...due, version }, record, chars });
      }
    }
    return ready;
  };

  const send = async ({ due, record }: Ready<Record>): Promise<void> => {
    if (due.state === 'waiting') await publisher.publish(record);
    else if (await publisher.confirm(record)) onRewritten();
  };

  /** @param sentOn the number of the connection on which all of them were acknowledged */
  const settle = async (done: readonly Due[], sentOn: number): Promise<void> => {
    const waiting = done.filter(({ state }) => state === 'waiting');
    const published = done.filter(({ state }) => state === 'published');
    if (waiting.length > 0 && sentOn === connection.number) await markPublished(pool, waiting, queue);
    if (published.length > 0) await removeConfirmed(pool, published, queue);
  };

  /** An acknowledged record counts, whatever becomes of the others. @throws why Redis did not take one of them */
  const sendChunk = async (chunk: readonly Ready<Record>[]): Promise<void> => {
    const sentOn = connection.number;
    const outcomes = await Promise.allSettled(chunk.map(send));
    const isDone = (_: unknown, index: number) => outcomes[index]!.status === 'fulfilled';
    await settle(
      chunk.filter(isDone).map(({ due }) => due),
      sentOn,
    );
    let failure: unknown;
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      if (isOwnFault(outcome.reason)) await giveUp(chunk[index]!.due, outcome.reason.message);
      // A record that was read before a later timeline began is read again when it is due again.
      else if (!(outcome.reason instanceof OutdatedTimelineError)) failure = outcome.reason;
    }
    if (failure !== undefined) throw failure;
  };

  /** @returns whether there may be more */
  const sweepBatch = async (): Promise<boolean> => {
    const dues = await claimDue(pool, batchMax, queue);
    if (dues.length === 0) return false;
    for (const chunk of chunksOf(await prepare(dues))) await sendChunk(chunk);
    return dues.length === batchMax;
  };

  let connectionSwept = 0;

  return async () => {
    const sweepingOn = connection.number;
    if (connectionSwept !== sweepingOn) await publishAgain(pool, queue);
    connectionSwept = sweepingOn;
    while (await sweepBatch());
  };
};
