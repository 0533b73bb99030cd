/**
 * Removes finished deliveries from the queue's indexes. Until a vacuum, each look for due deliveries steps over the
 * dead entries: after 45,000 deliveries it read 300 pages instead of 5. Autovacuum runs once a minute, which is too
 * late at a thousand deliveries a second.
 */
import type { Queryable } from '../../../platform/db/pool.ts';

/** The minimum of finished deliveries between two vacuums of a process. */
const finishedMin = 5_000;
/** The minimum between two vacuums of a process, in milliseconds … */
const pauseMsMin = 5_000;
/** … and as a multiple of the last one's duration: on a queue of a million it takes seconds. */
const pauseFactor = 20;

export interface QueueVacuum {
  /** Counts finished deliveries. @returns a vacuum, if one is due */
  note(finished: number): Promise<void> | undefined;
}

export interface QueueVacuumOptions {
  finishedMin?: number;
  /** A monotonic clock. */
  nowMs?: () => number;
}

/** Skips the table if another process is vacuuming it. Does not truncate it, which would take a lock. */
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
