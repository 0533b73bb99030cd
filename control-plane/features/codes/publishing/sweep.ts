/**
 * The sweep of the unpublished codes: it publishes what waits, and confirms what was published a minute ago. It ends with the
 * first record that Redis does not take, because Redis is away or slow then; records that it took are not sent again.
 */
import { type CodeRecord, serializeRecord } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../db/pool.ts';
import { findCodesForRedirect } from '../store/find.ts';
import type { ConnectionCount } from './connection.ts';
import { OutdatedTimelineError, type RecordPublisher, readRecord } from './records.ts';
import {
  claimDue,
  type Due,
  markPublished,
  publishAgain,
  removeConfirmed,
  setAside,
} from './unpublished-codes.ts';

const batchMax = 500;
/** Sent at a time, so that a Redis that takes a megabyte a second acknowledges some before they time out. */
const chunkCharsMax = 2 ** 18;
const chunkRecordsMax = 100;

/** A row that is due, and the record that is to be published for it. */
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

export interface SweepOptions {
  pool: Pool;
  publisher: RecordPublisher;
  connection: Pick<ConnectionCount, 'number'>;
  /** Told of each record that Redis had lost, or an older copy of, when it was confirmed. */
  onRewritten(): void;
  logger: Logger;
}

/** @returns the sweep; it throws why Redis did not take a record */
export const createSweep = (options: SweepOptions): (() => Promise<void>) => {
  const { pool, publisher, connection, onRewritten, logger } = options;

  const giveUp = async (due: Due, problem: string): Promise<void> => {
    logger.error({ code: due.id, problem }, 'a change cannot be published: it is set aside');
    await setAside(pool, due, problem);
  };

  /** Reads the codes as they are now: a later version may have come since. A code without a record is set aside. */
  const prepare = async (dues: readonly Due[]): Promise<Ready[]> => {
    const ids = dues.map(({ id }) => id);
    const codes = new Map((await findCodesForRedirect(pool, ids)).map((code) => [code.id, code]));
    const ready: Ready[] = [];
    for (const due of dues) {
      const code = codes.get(due.id);
      const read = code ? readRecord(code) : { problem: 'there is no code with this id' };
      if ('problem' in read) await giveUp(due, read.problem);
      // The row is about the version that was read, or an earlier one.
      else ready.push({ due: { ...due, version: code!.version }, record: read.record });
    }
    return ready;
  };

  const send = async ({ due, record }: Ready): Promise<void> => {
    if (due.state === 'waiting') await publisher.publish(record);
    else if (await publisher.confirm(record)) onRewritten();
  };

  /** @param sentOn the number of the connection on which all of them were acknowledged */
  const settle = async (done: readonly Due[], sentOn: number): Promise<void> => {
    const waiting = done.filter(({ state }) => state === 'waiting');
    const published = done.filter(({ state }) => state === 'published');
    if (waiting.length > 0 && sentOn === connection.number) await markPublished(pool, waiting);
    if (published.length > 0) await removeConfirmed(pool, published);
  };

  /** An acknowledged record counts, whatever becomes of the others. @throws why Redis did not take one of them */
  const sendChunk = async (chunk: readonly Ready[]): Promise<void> => {
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
    const dues = await claimDue(pool, batchMax);
    if (dues.length === 0) return false;
    for (const chunk of chunksOf(await prepare(dues))) await sendChunk(chunk);
    return dues.length === batchMax;
  };

  let connectionSwept = 0;

  return async () => {
    const sweepingOn = connection.number;
    if (connectionSwept !== sweepingOn) await publishAgain(pool);
    connectionSwept = sweepingOn;
    while (await sweepBatch());
  };
};
