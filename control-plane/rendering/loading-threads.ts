/**
 * Threads that load their program. One of its modules (harfbuzzjs) awaits at its top level, and if a thread is ended at
 * the moment when that await completes, V8 aborts the whole process (Node 22: "AsyncModuleExecutionFulfilled … Check
 * failed"). So threads are never ended before they are ready.
 */
import type { Worker } from 'node:worker_threads';

export interface LoadingThreads {
  /** @param threads that have just been started, in this turn of the event loop */
  watch(threads: readonly Worker[]): void;
  /** Resolves once all of them are ready or have ended. @param patienceMs maximum wait */
  over(patienceMs: number): Promise<void>;
}

export const createLoadingThreads = (): LoadingThreads => {
  const loading = new Map<Worker, Promise<void>>();

  const watch = (thread: Worker): void => {
    const loaded = new Promise<void>((resolve) => {
      // A thread's first message says that it is ready.
      thread.once('message', () => resolve()).once('exit', () => resolve());
    });
    loading.set(
      thread,
      loaded.then(() => void loading.delete(thread)),
    );
  };

  return {
    watch(threads) {
      for (const thread of threads) watch(thread);
    },
    async over(patienceMs) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([Promise.all(loading.values()), patience]);
      clearTimeout(timer);
    },
  };
};
