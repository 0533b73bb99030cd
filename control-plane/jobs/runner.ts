/** Runs the jobs of the queue in this process, and starts the queue again if it gave up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { isDatabaseUnavailable, type Pool } from '../platform/db/pool.ts';
import { type Queue, startQueue } from './queue.ts';
import type { Tasks } from './tasks.ts';

/** The queue gives up without a database; then it is started again after this time. */
const restartDelayMs = 1_000;

/**
 * Runs jobs until it is closed; close() waits for those under way.
 * A job that ended while the database was away keeps its lock: it is freed before the queue starts again, and the job runs
 * again, also if it had succeeded. After close(), or when the process is killed, it stays locked: other processes leave
 * such a job alone until its lock is 4 hours old, which graphile-worker sets.
 * @param pool keeps one connection for LISTEN
 * @throws when the queue cannot be started the first time
 */
export const startJobs = async (pool: Pool, jobs: Tasks, logger: Logger): Promise<Closeable> => {
  const closing = new AbortController();
  let queue = await startQueue(pool, jobs, logger);

  const restart = async (): Promise<void> => {
    await freeJobs(pool, queue);
    queue = await startQueue(pool, jobs, logger);
    // Closed while it was starting: close() has stopped the one before.
    if (closing.signal.aborted) queue.stop();
  };

  const keepRunning = async (): Promise<void> => {
    while (true) {
      await queue.ended;
      if (closing.signal.aborted) return;
      logger.error('the job queue stopped; it is started anew');
      await sleep(restartDelayMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      await restart().catch((error: unknown) =>
        logger[isDatabaseUnavailable(error) ? 'warn' : 'error'](
          { err: error },
          'the job queue could not be started',
        ),
      );
    }
  };

  const running = keepRunning();
  return {
    async close() {
      closing.abort();
      queue.stop();
      await running;
    },
  };
};

/** Frees the jobs of a queue that has ended: none of them is under way. */
const freeJobs = (pool: Pool, { lockName }: Queue): Promise<unknown> =>
  pool.query('SELECT graphile_worker.force_unlock_workers(ARRAY[$1])', [lockName]);
