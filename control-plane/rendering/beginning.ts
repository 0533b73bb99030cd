/** The moment at which a thread begins with a task, told to the thread that waits for it. Both read the same clock. */

/** A task as a thread gets it. */
export interface Given<Task> {
  task: Task;
  /** Shared; 0 until the thread has begun. */
  begunAt: BigInt64Array<SharedArrayBuffer>;
}

export interface Beginning {
  shared: BigInt64Array<SharedArrayBuffer>;
  /** In milliseconds as {@link nowMs}; infinite before it. */
  atMs(): number;
}

/** Of the clock that all threads share, in milliseconds. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

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

/** To be called in the thread, first of all. @returns the task */
export const begin = <Task>({ task, begunAt }: Given<Task>): Task => {
  Atomics.store(begunAt, 0, process.hrtime.bigint());
  return task;
};
