/**
 * What finished deliveries leave in the queue's indexes. Each look for due ones steps over it until a vacuum has been there: after
 * 45,000 deliveries over 300 pages in place of 5. Autovacuum looks once a minute, and at a thousand deliveries a second that is late.
 */
import type { Queryable } from '../../../db/pool.ts';

/** Deliveries that are finished between two vacuums of a process, at least. */
const finishedMin = 5_000;
/** Between two vacuums of a process, in milliseconds … */
const pauseMsMin = 5_000;
/** … and by how much longer than the last one took: of a queue of a million it takes seconds. */
const pauseFactor = 20;

export interface QueueVacuum {
  /** Counts finished deliveries. @returns a vacuum, where one is due */
  note(finished: number): Promise<void> | undefined;
}

export interface QueueVacuumOptions {
  finishedMin?: number;
  /** A clock that never goes back. */
  nowMs?: () => number;
}

/** One that another process has begun is not waited for. What is at the end of the table stays: to give it back takes a lock. */
const vacuum = async (db: Queryable): Promise<void> => {
  await db.query('VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE FALSE, PARALLEL 0) webhook_queue');
};

export const createQueueVacuum = (
  db: Queryable,
  { finishedMin: every = finishedMin, nowMs = () => performance.now() }: QueueVacuumOptions = {},
): QueueVacuum => {
  let finished = 0;
  let nextMs = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    const startedMs = nowMs();
    // Until this one has ended.
    nextMs = Number.POSITIVE_INFINITY;
    finished = 0;
    try {
      await vacuum(db);
    } finally {
      const tookMs = nowMs() - startedMs;
      nextMs = nowMs() + Math.max(pauseMsMin, tookMs * pauseFactor);
    }
  };

  return {
    note(times) {
      finished += times;
      return finished >= every && nowMs() >= nextMs ? run() : undefined;
    },
  };
};
