/**
 * How a changed document reaches the redirectors, as a changed code does (codes/publishing/publishing.ts):
 *
 *   transaction: the change + a row in the queue ──commit──▶ publish now ──done──▶ kept for a minute, confirmed, removed
 *                                                                └─failed──▶ the sweep publishes, each second
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Pool } from '../../db/pool.ts';
import type { Background } from '../../jobs/background.ts';
import { countConnections } from '../codes/publishing/connection.ts';
import { createSweep } from '../codes/publishing/sweep.ts';
import {
  countUnpublished,
  markPublished,
  type UnpublishedCounts,
} from '../codes/publishing/unpublished-codes.ts';
import type { DocumentKinds } from './kinds.ts';
import type { DocumentPublisher } from './publisher.ts';
import { documentQueue } from './queue.ts';

const sweepIntervalMs = 1_000;

export interface DocumentPublishing extends Closeable {
  /**
   * Publishes documents after the commit of their change, so that it is in effect when its request is answered. Never fails: what
   * does not work now is left to the sweep.
   */
  publish(ids: readonly string[]): Promise<void>;
  /** As of the last sweep. */
  readonly statistics: UnpublishedCounts;
}

export interface DocumentPublishingOptions {
  pool: Pool;
  redis: Redis;
  kinds: DocumentKinds;
  publisher: DocumentPublisher;
  background: Background;
  logger: Logger;
}

export const createDocumentPublishing = (options: DocumentPublishingOptions): DocumentPublishing => {
  const { pool, redis, kinds, publisher, background, logger } = options;
  const statistics: UnpublishedCounts = { waiting: 0, published: 0, setAside: 0 };
  const connection = countConnections(redis, () =>
    background.start('publishing documents that waited for Redis', sweepOnce()),
  );
  const sweep = createSweep({
    pool,
    queue: documentQueue,
    read: kinds.read,
    publisher,
    connection,
    onRewritten: () => logger.warn('Redis had lost a document since it took it: it is written again'),
    logger,
  });

  let sweeping = false;
  /** A process sweeps once at a time. */
  const sweepOnce = async (): Promise<void> => {
    if (sweeping) return;
    sweeping = true;
    try {
      await sweep();
      Object.assign(statistics, await countUnpublished(pool, documentQueue));
    } finally {
      sweeping = false;
    }
  };

  const timer = setInterval(() => {
    if (redis.status === 'ready') background.start('publishing documents that wait', sweepOnce());
  }, sweepIntervalMs);

  return {
    async publish(ids) {
      const sentOn = connection.number;
      try {
        const published: { id: string; version: number }[] = [];
        for (const [id, current] of await kinds.read(ids)) {
          if ('problem' in current)
            logger.error({ id, problem: current.problem }, 'a document cannot be published');
          else {
            await publisher.publish(current.record);
            published.push({ id, version: current.version });
          }
        }
        if (sentOn === connection.number && published.length > 0)
          await markPublished(pool, published, documentQueue);
      } catch (error) {
        logger.debug({ err: error, ids }, 'documents could not be published at once');
      }
    },
    statistics,
    async close() {
      await connection.close();
      clearInterval(timer);
    },
  };
};
