/**
 * A queue of operations on a disk that may hang: one at a time, in order, each with a deadline. A hanging system call
 * cannot be cancelled and keeps a thread of libuv's pool, which has few; the queue holds at most one thread. A process
 * has one queue for all of DATA_DIR; only writes to segments bypass it (segment-writer.ts). While an operation hangs,
 * further ones are refused at once.
 */

/** The disk has not answered in time. */
export class DiskHangsError extends Error {
  override name = 'DiskHangsError';
}

export interface DiskQueue {
  /** Whether an operation is past its deadline. */
  readonly hanging: boolean;
  /**
   * Runs the operation after all earlier ones.
   * @throws {DiskHangsError} after the deadline, and at once while the disk hangs; the operation may still complete
   * later
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves once all operations are done or abandoned. */
  idle(): Promise<void>;
}

/** @param deadlineMs per operation */
export const createDiskQueue = (deadlineMs: number): DiskQueue => {
  let hanging = false;
  let last: Promise<unknown> = Promise.resolve();

  const withDeadline = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        hanging = true;
        reject(new DiskHangsError(`the disk has not answered for ${deadlineMs} ms`));
      }, deadlineMs);
      const done = (): void => {
        clearTimeout(timer);
        hanging = false;
      };
      work().then(resolve, reject).finally(done);
    });

  const start = <T>(work: () => Promise<T>): Promise<T> =>
    hanging ? Promise.reject(new DiskHangsError('the disk does not answer')) : withDeadline(work);

  return {
    get hanging() {
      return hanging;
    },
    run(work) {
      if (hanging) return start(work);
      const running = last.then(() => start(work));
      last = running.catch(() => {
        // The caller gets the error; the next operation does not depend on it.
      });
      return running;
    },
    async idle() {
      await last;
    },
  };
};
