/** Runs the jobs of the queue in this process. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogLevel, Logger as QueueLogger, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../db/pool.ts';
import type { Jobs } from './registry.ts';

const jobsAtOnce = 4;
/** How late a delayed job may begin. One that is due at once is announced by NOTIFY. */
const pollIntervalMs = 1_000;
/** The queue gives up after some minutes without a database; then it is started anew, this long after. */
const restartDelayMs = 5_000;

/**
 * So many times in a row may the queue fail to ask for a job; then it is started anew. It remembers for good what it asked first
 * (which kinds of jobs there are), also where that was not answered, and then would never run any.
 */
const failedAsksMax = 5 * jobsAtOnce;

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

const startRunner = async (pool: Pool, { tasks, crontab }: Jobs, logger: Logger): Promise<Runner> => {
  const events: WorkerEvents = new EventEmitter();
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    crontab,
    concurrency: jobsAtOnce,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    events,
    logger: new QueueLogger(() => (level, message, meta) => logger[pinoLevel[level]](meta ?? {}, message)),
  });
  stopWhenDeaf(runner, events, logger);
  return runner;
};

const stopWhenDeaf = (runner: Runner, events: WorkerEvents, logger: Logger): void => {
  let failedAsks = 0;
  const heard = () => {
    failedAsks = 0;
  };
  events.on('worker:getJob:empty', heard);
  events.on('job:start', heard);
  events.on('worker:getJob:error', ({ error }) => {
    // Once: while it stops, further ones fail.
    if (++failedAsks !== failedAsksMax) return;
    logger.warn({ err: error }, 'the job queue cannot ask for jobs; it is started anew');
    runner.stop().catch((cause: unknown) => logger.debug({ err: cause }, 'the job queue did not stop'));
  });
};

/** The queue logs as info every job that it runs: here, that is for debugging. */
const pinoLevel = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
} as const satisfies Record<LogLevel, string>;
