/** Runs the jobs of the queue in this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogLevel, Logger as QueueLogger, type Runner, run, type TaskList } from 'graphile-worker';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../db/pool.ts';

const jobsAtOnce = 4;
/** How late a delayed job may begin. One that is due at once is announced by NOTIFY. */
const pollIntervalMs = 1_000;
/** The queue gives up after some minutes without a database; then it is started anew, this long after. */
const restartDelayMs = 5_000;

export interface Jobs {
  tasks: TaskList;
  /** Lines of a crontab (UTC): what is due runs once, however many processes there are. */
  crontab: string;
}

/**
 * Runs jobs until it is closed; close() waits for those under way.
 * @param pool keeps one connection for LISTEN
 * @throws when the queue cannot be started the first time
 */
export const startJobs = async (pool: Pool, jobs: Jobs, logger: Logger): Promise<Closeable> => {
  const closing = new AbortController();
  let runner = await startRunner(pool, jobs, logger);

  const keepRunning = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await runner.promise;
        if (closing.signal.aborted) return;
      } catch (error) {
        logger.error({ err: error }, 'the job queue stopped');
      }
      await sleep(restartDelayMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      try {
        runner = await startRunner(pool, jobs, logger);
        // Closed while it was starting: close() has stopped the one before.
        if (closing.signal.aborted) await runner.stop();
      } catch (error) {
        logger.error({ err: error }, 'the job queue could not be started');
      }
    }
  };

  const running = keepRunning();
  return {
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await runner
        .stop()
        .catch((error: unknown) => logger.warn({ err: error }, 'the job queue did not stop'));
      await running;
    },
  };
};

const startRunner = (pool: Pool, { tasks, crontab }: Jobs, logger: Logger): Promise<Runner> =>
  run({
    pgPool: pool,
    taskList: tasks,
    crontab,
    concurrency: jobsAtOnce,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    logger: new QueueLogger(() => (level, message, meta) => logger[pinoLevel[level]](meta ?? {}, message)),
  });

/** What the queue calls info is of interest to who debugs it. */
const pinoLevel = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
} as const satisfies Record<LogLevel, string>;
