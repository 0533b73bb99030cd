/** The moment at which a thread begins a task, reported to the thread that waits for it. Both read the same clock. */

/** A task as a thread gets it. */
export interface Given<Task> {
  task: Task;
  /** Shared; 0 until the thread has begun. */
  begunAt: BigInt64Array<SharedArrayBuffer>;
}

export interface Beginning {
  shared: BigInt64Array<SharedArrayBuffer>;
  /** In ms of the clock that all threads share; infinite until the thread has begun. */
  atMs(): number;
}

/** In ms of the clock that all threads share. */
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export const createBeginning = (): Beginning => {
  const shared = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  return {
    shared,
    atMs() {
      const begunAt = Atomics.load(shared, 0);
      return begunAt === 0n ? Number.POSITIVE_INFINITY : Number(begunAt) / 1e6;
    },
  };
};

/** To be called first in the thread. @returns the task */
export const begin = <Task>({ task, begunAt }: Given<Task>): Task => {
  Atomics.store(begunAt, 0, process.hrtime.bigint());
  return task;
};

export interface WatchOptions {
  /** Time for the task once its thread has begun, in ms. */
  taskMsMax: number;
  /** Additional time for the thread to begin, in ms. */
  startMsMax: number;
  onLate(): void;
}

/**
 * Reports a task that takes too long. A thread that is still starting is left alone: on a busy machine a start may take
 * longer than a task may, and no thread would ever have started.
 */
export const watch = (beginning: Beginning, { taskMsMax, startMsMax, onLate }: WatchOptions) => {
  const givesUpAtMs = nowMs() + startMsMax + taskMsMax;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = Math.min(beginning.atMs() + taskMsMax, givesUpAtMs) - nowMs();
    if (leftMs <= 0) onLate();
    else timer = setTimeout(wait, Math.min(Math.ceil(leftMs), taskMsMax));
  };
  wait();
  return { stop: () => clearTimeout(timer) };
};
