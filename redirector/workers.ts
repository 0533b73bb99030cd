/** Redirector processes under a primary: started together, restarted when they die, stopped together. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';

const restartPauseMs = 1000;

export interface Workers extends Closeable {
  readonly running: number;
}

/** What a worker tells its primary once it is listening. */
export const workerReady = 'ready';

/** @throws when the worker ends first */
const untilReady = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once('message', (message) => {
      if (message === workerReady) resolve();
    });
    worker.once('exit', (code) => reject(new Error(`a worker ended with code ${code} before it was ready`)));
  });

const exited = (worker: Worker): Promise<number> =>
  new Promise((resolve) => {
    worker.once('exit', (code) => resolve(code));
  });

/** @throws when a worker ends before it has started */
export const startWorkers = async (count: number, logger: Logger): Promise<Workers> => {
  let stopping = false;

  const keepRunning = async (first: Worker): Promise<void> => {
    for (let worker = first; ; worker = cluster.fork()) {
      const code = await exited(worker);
      if (stopping) return;
      logger.error({ pid: worker.process.pid, code }, 'a worker died: starting another');
      await sleep(restartPauseMs);
      if (stopping) return;
    }
  };

  const workers = Array.from({ length: count }, () => cluster.fork());
  await Promise.all(workers.map(untilReady));
  const lives = workers.map(keepRunning);
  return {
    get running() {
      return Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()).length;
    },
    async close() {
      stopping = true;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
      await Promise.all(lives);
    },
  };
};
