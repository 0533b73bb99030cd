/**
 * The sweep of a kind: it publishes rows that wait, and confirms rows that were published a minute ago. It ends with the first text
 * that Redis does not take, because Redis is away or slow then; texts that it took are not sent again.
 */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { ConnectionCount } from './connection.ts';
import { type PublishedKind, readEach, type VersionedText } from './kind.ts';
import { OutdatedTimelineError, type Publisher } from './publisher.ts';
import { claimDue, type Due, markPublished, publishAgain, removeConfirmed, setAside } from './queue.ts';

const batchMax = 500;
/** Sent at a time, so that a Redis that takes a megabyte a second acknowledges some before they time out. */
const chunkCharsMax = 2 ** 18;
const chunkTextsMax = 100;

/** A row that is due, and the text that is to be published for it. */
interface Ready {
  due: Due;
  text: VersionedText;
}

/** Errors that Redis answers about itself rather than about the text: everything else waits, too. */
const aboutRedis =
  /^(LOADING|BUSY|OOM|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|NOSCRIPT|UNKILLABLE)\b/;

/** Whether the text itself is why it cannot be published. */
const isOwnFault = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError' && !aboutRedis.test(error.message);

function* chunksOf(ready: readonly Ready[]): Generator<Ready[]> {
  let chunk: Ready[] = [];
  let chars = 0;
  for (const one of ready) {
    const { length } = one.text.text;
    if (chunk.length > 0 && (chunk.length === chunkTextsMax || chars + length > chunkCharsMax)) {
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
  kind: PublishedKind;
  publisher: Pick<Publisher, 'publish' | 'confirm'>;
  connection: Pick<ConnectionCount, 'number'>;
  /** Sends one chunk at a time, whatever its kind: Redis has to acknowledge a chunk in time. */
  serially<Result>(send: () => Promise<Result>): Promise<Result>;
  /** Called for each text that Redis had lost, or an older copy of, when it was confirmed. */
  onRewritten(): void;
  logger: Logger;
}

/** @returns the sweep; it throws why the kind could not be read, or why Redis did not take a text */
export const createSweep = (options: SweepOptions): (() => Promise<void>) => {
  const { pool, kind, publisher, connection, serially, onRewritten, logger } = options;

  const giveUp = async (due: Due, problem: string): Promise<void> => {
    logger.error({ [kind.name]: due.id, problem }, 'a change cannot be published: it is set aside');
    await setAside(pool, due, problem);
  };

  /** A later version may have come since the row was added. A thing that cannot be read is set aside. */
  const prepare = async (dues: readonly Due[]): Promise<Ready[]> => {
    const ids = dues.map(({ id }) => id);
    const found = new Map((await readEach(kind, ids)).map((current) => [current.id, current]));
    const ready: Ready[] = [];
    for (const due of dues) {
      const current = found.get(due.id) ?? { problem: `there is no ${kind.name} with this id` };
      if ('problem' in current) await giveUp(due, current.problem);
      // The row is about the version that was read, or an earlier one.
      else ready.push({ due: { ...due, version: current.version }, text: current });
    }
    return ready;
  };

  const send = async ({ due, text }: Ready): Promise<void> => {
    if (due.state === 'waiting') await publisher.publish(kind, text);
    else if (await publisher.confirm(kind, text)) onRewritten();
  };

  /** @param sentOn the number of the connection on which all of them were acknowledged */
  const markDone = async (done: readonly Due[], sentOn: number): Promise<void> => {
    const waiting = done.filter(({ state }) => state === 'waiting');
    const published = done.filter(({ state }) => state === 'published');
    if (waiting.length > 0 && sentOn === connection.number) await markPublished(pool, waiting);
    if (published.length > 0) await removeConfirmed(pool, published);
  };

  /** An acknowledged text counts, whatever becomes of the others. @throws why Redis did not take one of them */
  const sendChunk = async (chunk: readonly Ready[]): Promise<void> => {
    const { sentOn, outcomes } = await serially(async () => ({
      sentOn: connection.number,
      outcomes: await Promise.allSettled(chunk.map(send)),
    }));
    const isDone = (_: unknown, index: number) => outcomes[index]!.status === 'fulfilled';
    await markDone(
      chunk.filter(isDone).map(({ due }) => due),
      sentOn,
    );
    let failure: unknown;
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      if (isOwnFault(outcome.reason)) await giveUp(chunk[index]!.due, outcome.reason.message);
      // A text that was read before a later timeline began is read again when it is due again.
      else if (!(outcome.reason instanceof OutdatedTimelineError)) failure = outcome.reason;
    }
    if (failure !== undefined) throw failure;
  };

  /** @returns whether there may be more */
  const sweepBatch = async (): Promise<boolean> => {
    const dues = await claimDue(pool, kind.name, batchMax);
    if (dues.length === 0) return false;
    for (const chunk of chunksOf(await prepare(dues))) await sendChunk(chunk);
    return dues.length === batchMax;
  };

  let connectionSwept = 0;

  return async () => {
    const sweepingOn = connection.number;
    if (connectionSwept !== sweepingOn) await publishAgain(pool, kind.name);
    connectionSwept = sweepingOn;
    while (await sweepBatch());
  };
};
