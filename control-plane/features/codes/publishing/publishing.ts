/**
 * How a change reaches the redirectors:
 *
 *   transaction: the change + a row in the queue ──commit──▶ publish now ──done──▶ kept for a minute, confirmed, removed
 *                                                                └─failed──▶ the sweep publishes, each second
 *
 * The sweep takes rows that have waited for two seconds, so that it finds only changes whose publish right after the commit has
 * failed, or whose process ended in between. Whenever Redis is back, everything of the last minute is published again: this
 * Redis may be one that took over, and that had not heard of everything that the one before it acknowledged. A row that cannot
 * be published for a reason of its own is set aside, and the others go on.
 */
import { type CodeRecord, serializeRecord } from '#schemas/code-record.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Background } from '../../../jobs/background.ts';
import { findCodesForRedirect } from '../store/find.ts';
import { streamLengthMax } from './conditional-write.ts';
import { countConnections } from './connection.ts';
import { createPublishNow, type PublishNow } from './publish-now.ts';
import { type RecordPublisher, readRecord } from './records.ts';
import { type Current, createSweep } from './sweep.ts';
import { createTimelineAnnouncer, createTimelineKeeper } from './timeline.ts';
import { codeQueue, countUnpublished, type UnpublishedCounts } from './unpublished-codes.ts';

const sweepIntervalMs = 1_000;

export interface PublishingOptions {
  pool: Pool;
  redis: Redis;
  publisher: RecordPublisher;
  background: Background;
  logger: Logger;
}

export interface PublishingStatistics extends UnpublishedCounts {
  /** Records that Redis had lost, or an older copy of, when they were confirmed. */
  rewritten: number;
  timeline: number;
}

export interface Publishing extends PublishNow, Closeable {
  /** As of the last sweep. */
  readonly statistics: PublishingStatistics;
}

/** The records of those codes that exist, or why they have none. */
const readCodes = async (
  pool: Pool,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Current<CodeRecord>>> => {
  const codes = await findCodesForRedirect(pool, ids);
  return new Map(
    codes.map((code): [string, Current<CodeRecord>] => {
      const read = readRecord(code);
      if ('problem' in read) return [code.id, read];
      const { record } = read;
      return [code.id, { version: code.version, record, chars: serializeRecord(record).length }];
    }),
  );
};

export const createPublishing = (options: PublishingOptions): Publishing => {
  const { pool, redis, publisher, background, logger } = options;
  const statistics = { waiting: 0, published: 0, setAside: 0, rewritten: 0, timeline: 0 };
  const keepTimeline = createTimelineKeeper(pool, createTimelineAnnouncer(redis, streamLengthMax), logger);
  const connection = countConnections(redis, () =>
    background.start('publishing what waited for Redis', sweepOnce()),
  );
  const sweep = createSweep({
    pool,
    queue: codeQueue,
    read: (ids) => readCodes(pool, ids),
    publisher,
    connection,
    onRewritten() {
      statistics.rewritten++;
    },
    logger,
  });

  let sweeping = false;

  /** A process sweeps once at a time. */
  const sweepOnce = async (): Promise<void> => {
    if (sweeping) return;
    sweeping = true;
    try {
      await keepTimeline((timeline) => {
        statistics.timeline = timeline;
      });
      await sweep();
      Object.assign(statistics, await countUnpublished(pool));
    } finally {
      sweeping = false;
    }
  };

  const timer = setInterval(() => {
    if (redis.status === 'ready') background.start('publishing what waits', sweepOnce());
  }, sweepIntervalMs);

  return {
    ...createPublishNow({ pool, publisher, connection, background, logger }),
    statistics,
    async close() {
      await connection.close();
      clearInterval(timer);
    },
  };
};
