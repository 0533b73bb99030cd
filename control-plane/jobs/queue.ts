/** One start of the queue: it runs jobs until it is stopped, or until it gives up. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Job,
  type LogLevel,
  Logger as QueueLogger,
  type Runner,
  run,
  type WorkerEvents,
} from 'graphile-worker';
import type { Logger } from '#shared/logger.ts';
import { jobsAtOnce } from '../platform/db/connections.ts';
import { isDatabaseUnavailable, type Pool } from '../platform/db/pool.ts';
import { poolForQueue } from './listening.ts';
import type { Tasks } from './tasks.ts';

/** How late a delayed job may begin. One that is due at once is announced by NOTIFY. */
const pollIntervalMs = 1_000;

/**
 * So many times in a row may the queue fail to ask for a job; then it is stopped. It remembers for good what it asked first
 * (which kinds of jobs there are), also where that was not answered, and then would never run any.
 */
const failedAsksMax = 5 * jobsAtOnce;

/**
 * After its last job the queue marks what is done. Where that fails more than once, it miscounts what is left to mark and
 * waits for ever; and its crontab ends only after its next try, up to 90 seconds later. A stop waits no longer than this for both.
 */
const markTimeoutMs = 3_000;

export interface Queue {
  /** Under this name it locks its jobs. */
  lockName: string;
  /** Fulfilled when the last of its jobs has ended, and what is done has been marked as far as that is possible. */
  ended: Promise<void>;
  /** Takes no further job. Calling it twice does no harm. */
  stop(): void;
}

/**
 * Starts to run jobs.
 * A job that ended and could not be marked so (deleted, or due again later) stops the queue: the job is locked under its name.
 * @param pool keeps one connection for LISTEN
 * @throws when the database cannot be reached
 */
export const startQueue = async (pool: Pool, { tasks, crontab }: Tasks, logger: Logger): Promise<Queue> => {
  const events: WorkerEvents = new EventEmitter();
  const lockName = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
  });
  const lastJobEnded = allStopped(events);
  const runner = await run({
    pgPool: poolForQueue(pool),
    taskList: tasks,
    crontab,
    concurrency: jobsAtOnce,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    events,
    logger: new QueueLogger(
      () =>
        (level, message, meta = {}) =>
          logger[levelOf(level, meta)](meta, message),
    ),
    // Without a batch, a mark that fails is an unhandled rejection, which ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  const stop = stopOnce(runner, logger);
  stopWhenDeaf(stop, events, logger);
  return { lockName: await lockName, ended: whenEnded(runner, lastJobEnded).then(stop), stop };
};

const whenEnded = (runner: Runner, lastJobEnded: Promise<void>): Promise<void> =>
  Promise.race([runner.promise, lastJobEnded.then(() => sleep(markTimeoutMs))]);

const allStopped = (events: WorkerEvents): Promise<void> =>
  new Promise((resolve) => {
    let left = jobsAtOnce;
    events.on('worker:stop', () => {
      if (--left === 0) resolve();
    });
  });

const stopOnce = (runner: Runner, logger: Logger): (() => void) => {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    // It refuses where the queue has stopped by itself.
    runner.stop().catch((error: unknown) => logger.debug({ err: error }, 'the job queue did not stop'));
  };
};

const stopWhenDeaf = (stop: () => void, events: WorkerEvents, logger: Logger): void => {
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
    stop();
  });
};

/** The queue logs as info every job that it runs: here, that is for debugging. */
const pinoLevel = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
} as const satisfies Record<LogLevel, string>;

interface QueueMeta {
  error?: unknown;
  job?: Job;
}

/** A failure because the database is down, full or has no connection left is an error only once the job is given up. */
const levelOf = (level: LogLevel, { error, job }: QueueMeta) => {
  const isGivenUp = job !== undefined && job.attempts >= job.max_attempts;
  return level === 'error' && !isGivenUp && isDatabaseUnavailable(error) ? 'warn' : pinoLevel[level];
};
