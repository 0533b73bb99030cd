/**
 * How a change reaches the redirectors:
 *
 *   transaction: the change + a row in the outbox ──commit──▶ publish now ──done──▶ remove the row
 *                                                                └─failed──▶ the sweep publishes, each second
 *
 * The sweep takes what has waited for two seconds, so that it finds only changes whose publish right after the commit has
 * failed, or whose process ended in between; and everything as soon as Redis is back.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Pool } from '../../db/pool.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Background } from '../../jobs/background.ts';
import { addUnpublished, findUnpublished, removeUnpublished, type Unpublished } from './outbox.ts';
import { type RecordPublisher, toRecord } from './records.ts';
import { type Code, findCodesForRedirect } from './store.ts';

const sweepIntervalMs = 1_000;
const sweepAfterSeconds = 2;
const sweepBatchMax = 500;

export interface PublishingOptions {
  pool: Pool;
  redis: Redis;
  publisher: RecordPublisher;
  background: Background;
  logger: Logger;
}

export interface Publishing extends Closeable {
  /** To be called in the transaction that changes a code: from its commit on, the change will be published. */
  ensure(tx: Transaction, code: Code): Promise<void>;
  /** Publishes a change after its commit. Never fails: what does not work now is the sweep's. */
  publishChanged(code: Code): Promise<void>;
  /** Tells redirectors that an id they may hold as unknown exists now. Never fails: their bound does the rest. */
  publishCreated(code: Code): Promise<void>;
}

export const createPublishing = (options: PublishingOptions): Publishing => {
  const { pool, redis, publisher, background, logger } = options;

  const tryPublish = async (code: Code, publish: RecordPublisher['publish']): Promise<boolean> => {
    try {
      await publish(toRecord(code));
      return true;
    } catch (error) {
      // The connection's own failure is a warning; that each request meets it is not news.
      logger.debug({ err: error, code: code.id }, 'a code could not be published at once');
      return false;
    }
  };

  const published: Unpublished[] = [];
  let removing = false;

  /** One statement at a time; what is published meanwhile goes together into the next one. */
  const removePublished = async (): Promise<void> => {
    removing = true;
    try {
      while (published.length > 0) await removeUnpublished(pool, published.splice(0));
    } finally {
      removing = false;
    }
  };

  let sweeping = false;

  /** Publishes the rows as they are now: a later version may have come since. @returns whether there are more */
  const sweepBatch = async (waitingSeconds: number): Promise<boolean> => {
    const ids = await findUnpublished(pool, waitingSeconds, sweepBatchMax);
    const codes = await findCodesForRedirect(pool, ids);
    await Promise.all(codes.map((code) => publisher.publish(toRecord(code))));
    await removeUnpublished(pool, codes);
    return codes.length === sweepBatchMax;
  };

  /** Ends with the first publish that fails: Redis is away, and the next sweep begins with the same. */
  const sweep = async (waitingSeconds: number): Promise<void> => {
    if (sweeping) return;
    sweeping = true;
    try {
      while (await sweepBatch(waitingSeconds));
    } finally {
      sweeping = false;
    }
  };

  const sweepAll = () => background.start('publishing what waited for Redis', sweep(0));
  redis.on('ready', sweepAll);
  const timer = setInterval(() => {
    if (redis.status === 'ready') background.start('publishing what waits', sweep(sweepAfterSeconds));
  }, sweepIntervalMs);

  return {
    ensure: addUnpublished,
    async publishChanged(code) {
      if (!(await tryPublish(code, publisher.publish))) return;
      published.push({ id: code.id, version: code.version });
      if (!removing) background.start('removing what is published', removePublished());
    },
    async publishCreated(code) {
      await tryPublish(code, publisher.publishNew);
    },
    async close() {
      redis.off('ready', sweepAll);
      clearInterval(timer);
    },
  };
};
