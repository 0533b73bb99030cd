/**
 * Redirector processes under a primary. They start together, are restarted when they die, are replaced one by one
 * without losing a request, and stop together.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';

const restartPauseMs = 1000;
/** Longer than a worker takes to drain its connections and to send its scans. */
const leaveTimeoutMs = 20_000;

export interface Workers extends Closeable {
  /** Workers that redirect. */
  readonly running: number;
  /** Workers that ended without being asked to, since the start. */
  readonly deaths: number;
  /** Folders of workers, including restarting ones; undefined while any worker has none. */
  folders(): ReadonlySet<string> | undefined;
  /** Tells all workers to stop, each after its grace. */
  retire(): void;
  /**
   * Replaces each worker: the new one redirects before the old one leaves. Stops at the first that does not
   * start; the old workers keep running.
   * @returns whether all were replaced
   */
  replaceAll(): Promise<boolean>;
}

/** A worker's message to its primary once it is listening. */
export interface ReadyMessage {
  type: 'ready';
  folder: string;
}

/** The primary's message to a worker that has been replaced. */
export const leaveMessage = 'leave';

/**
 * A worker whose primary is gone stops as if it were stopped: it answers, and delivers or writes its scans in
 * memory. By default the cluster would end it at once. For a worker that is about to answer scans.
 */
export const stopWithoutPrimary = (logger: Logger): void => {
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    // The cluster checks this right after this event.
    worker.exitedAfterDisconnect = true;
    logger.error('the primary is gone');
    process.kill(process.pid, 'SIGTERM');
  });
};

const isReady = (message: unknown): message is ReadyMessage =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';

/** The process of a worker. */
interface WorkerProcess {
  worker: Worker;
  exited: Promise<string>;
  /** Resolves with its folder; rejects if it ends before it is ready. */
  ready: Promise<string>;
}

/** The slot of a worker, which processes occupy one after another. */
interface Place {
  current: WorkerProcess;
  ready: boolean;
  folder: string | undefined;
}

const emptyPlace = (current: WorkerProcess): Place => ({ current, ready: false, folder: undefined });

const begin = (onFork: (worker: Worker) => void): WorkerProcess => {
  const worker = cluster.fork();
  // A message could not be sent, for example a request for metrics: the worker's exit will say that it ended.
  worker.on('error', () => undefined);
  onFork(worker);
  const exited = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const ready = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (isReady(message)) resolve(message.folder);
    });
    exited.then((how) => reject(new Error(`a worker ended (${how}) before it was ready`)));
  });
  // Callers that do not wait for it see the exit.
  ready.catch(() => undefined);
  return { worker, exited, ready };
};

/** Workers that have not ended. */
const left = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

const allExited = (): Promise<unknown> =>
  Promise.all(left().map((worker) => new Promise((resolve) => worker.once('exit', resolve))));

/**
 * @param onFork gets each new worker before it runs, to answer it
 * @throws if a worker ends before it has started
 */
export const startWorkers = async (
  count: number,
  onFork: (worker: Worker) => void,
  logger: Logger,
): Promise<Workers> => {
  let stopping = false;
  let replacing = false;
  let deaths = 0;

  const awaitReady = async (place: Place): Promise<void> => {
    const { current } = place;
    const folder = await current.ready;
    if (place.current !== current) return;
    Object.assign(place, { folder, ready: true });
    logger.info({ pid: current.worker.process.pid, folder }, 'a worker is ready');
  };

  const keepRunning = async (place: Place): Promise<void> => {
    const { current } = place;
    const how = await current.exited;
    if (stopping || place.current !== current) return;
    deaths++;
    place.ready = false;
    logger.error({ pid: current.worker.process.pid, how }, 'a worker died: starting another');
    await sleep(restartPauseMs);
    if (stopping || place.current !== current) return;
    occupy(place, begin(onFork));
  };

  /** Puts a process into a place, and another one when it dies. */
  const occupy = (place: Place, current: WorkerProcess): void => {
    Object.assign(place, { current, ready: false });
    // keepRunning sees that it ended before it was ready.
    awaitReady(place).catch(() => undefined);
    void keepRunning(place);
  };

  const replace = async (place: Place): Promise<void> => {
    const next = begin(onFork);
    await next.ready;
    const old = place.current;
    occupy(place, next);
    if (old.worker.isConnected()) old.worker.send(leaveMessage);
    const late = new AbortController();
    const gone = old.exited.then(() => late.abort());
    await sleep(leaveTimeoutMs, undefined, { signal: late.signal }).then(
      () => old.worker.process.kill('SIGKILL'),
      () => undefined, // It left in time.
    );
    await gone;
  };

  const places = Array.from({ length: count }, () => emptyPlace(begin(onFork)));
  const retire = (): void => {
    stopping = true;
    for (const worker of left()) worker.process.kill('SIGTERM');
  };

  const close = async (): Promise<void> => {
    retire();
    await allExited();
  };

  try {
    await Promise.all(places.map(awaitReady));
  } catch (error) {
    await close();
    throw error;
  }
  for (const place of places) void keepRunning(place);

  return {
    get running() {
      return places.filter(({ ready }) => ready).length;
    },
    get deaths() {
      return deaths;
    },
    folders() {
      const folders = places.flatMap(({ folder }) => folder ?? []);
      return replacing || folders.length < count ? undefined : new Set(folders);
    },
    retire,
    async replaceAll() {
      if (replacing || stopping) return false;
      replacing = true;
      try {
        for (const place of places) if (!stopping) await replace(place);
        logger.info({ workers: count }, 'all workers are replaced');
        return true;
      } catch (error) {
        logger.error({ err: error }, 'a new worker did not start: the old ones keep running');
        return false;
      } finally {
        replacing = false;
      }
    },
    close,
  };
};
