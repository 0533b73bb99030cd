/**
 * How a change reaches the redirectors, whatever its kind:
 *
 *   transaction: the change + a row in the queue ──commit──▶ publish now ──done──▶ kept for a minute, confirmed, removed
 *                                                                └─failed──▶ the sweep publishes, each second
 *
 * The sweep takes rows that have waited for two seconds, so that it finds only changes whose publish right after the commit has
 * failed, or whose process ended in between. Whenever Redis is back, everything of the last minute is published again: this
 * Redis may be one that took over, and that had not received everything that the one before it acknowledged. A row that cannot
 * be published for a reason of its own is set aside, and the others continue. Kinds are read side by side, and send in turn: one
 * that cannot be read holds up no other.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Background } from '../jobs/background.ts';
import type { Pool } from '../platform/db/pool.ts';
import { streamLengthMax } from './conditional-write.ts';
import { countConnections } from './connection.ts';
import type { PublishedKind, PublishedKinds } from './kind.ts';
import { createPublishNow, type PublishNow } from './publish-now.ts';
import type { Publisher } from './publisher.ts';
import { countUnpublished, type UnpublishedCounts } from './queue.ts';
import { createSweep } from './sweep.ts';
import { createTimelineAnnouncer, createTimelineKeeper } from './timeline.ts';

const sweepIntervalMs = 1_000;

export interface PublishingOptions {
  pool: Pool;
  redis: Redis;
  /** A kind may be added later. */
  kinds: Pick<PublishedKinds, 'all'>;
  publisher: Publisher;
  background: Background;
  logger: Logger;
}

export interface PublishingStatistics extends UnpublishedCounts {
  /** Texts that Redis had lost, or an older copy of, when they were confirmed. */
  rewritten: number;
  timeline: number;
}

export interface Publishing extends PublishNow, Closeable {
  /** Of all kinds, as of the last sweep. */
  readonly statistics: PublishingStatistics;
}

/** Runs one piece of work at a time, in the order of the calls. */
const createSerialRunner = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
};

/** Runs work of one name at a time. @returns runs the work unless its name is under way, and says whether it ran it */
const createOnceAtATime = () => {
  const underWay = new Set<string>();
  return async (name: string, work: () => Promise<void>): Promise<boolean> => {
    if (underWay.has(name)) return false;
    underWay.add(name);
    try {
      await work();
      return true;
    } finally {
      underWay.delete(name);
    }
  };
};

export const createPublishing = (options: PublishingOptions): Publishing => {
  const { pool, redis, kinds, publisher, background, logger } = options;
  const statistics = { waiting: 0, published: 0, setAside: 0, rewritten: 0, timeline: 0 };
  const keepTimeline = createTimelineKeeper(pool, createTimelineAnnouncer(redis, streamLengthMax), logger);
  const connection = countConnections(redis, () =>
    background.start('publishing the changes that waited for Redis', sweepAll()),
  );
  const serially = createSerialRunner();
  const onceAtATime = createOnceAtATime();
  const sweeps = new Map<PublishedKind, () => Promise<void>>();

  const sweepOf = (kind: PublishedKind): (() => Promise<void>) => {
    const onRewritten = () => {
      statistics.rewritten++;
    };
    const known = sweeps.get(kind);
    const sweep = known ?? createSweep({ pool, kind, publisher, connection, serially, onRewritten, logger });
    sweeps.set(kind, sweep);
    return sweep;
  };

  const sweepKind = (kind: PublishedKind): Promise<unknown> => {
    const swept = onceAtATime(`sweep ${kind.name}`, sweepOf(kind));
    background.start(`publishing waiting changes of the kind ${kind.name}`, swept);
    return swept.catch(() => undefined);
  };

  /** Each part runs once at a time in this process, so that a slow kind leaves the sweeps of the others their second. */
  const sweepAll = async (): Promise<void> => {
    const keep = () =>
      keepTimeline((timeline) => {
        statistics.timeline = timeline;
      });
    if (!(await onceAtATime('timeline', keep))) return;
    await Promise.all(kinds.all.map(sweepKind));
    await onceAtATime('counts', async () => {
      Object.assign(statistics, await countUnpublished(pool));
    });
  };

  const timer = setInterval(() => {
    if (redis.status === 'ready') background.start('publishing waiting changes', sweepAll());
  }, sweepIntervalMs);

  return {
    ...createPublishNow({ pool, kinds, publisher, connection, background, logger }),
    statistics,
    async close() {
      await connection.close();
      clearInterval(timer);
    },
  };
};
