/**
 * Threads that load their program. A module of it (harfbuzzjs) awaits at its top level, and where a thread is ended in the moment at
 * which that is over, V8 aborts the whole process (Node 22: "AsyncModuleExecutionFulfilled … Check failed"). So nobody ends them before
 * they are ready.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

export interface LoadingThreads {
  /** Those of the threads that it has not been told of yet have just been started. */
  watch(threads: readonly Worker[]): void;
  /** Resolves once all of them are ready or have ended. @param patienceMs it waits no longer than that */
  over(patienceMs: number): Promise<void>;
}

export const createLoadingThreads = (): LoadingThreads => {
  const seen = new WeakSet<Worker>();
  const loading = new Map<Worker, Promise<void>>();

  const watch = (thread: Worker): void => {
    seen.add(thread);
    const loaded = new Promise<void>((resolve) => {
      // The first message of a thread says that it is ready.
      thread.once('message', () => resolve()).once('exit', () => resolve());
    });
    loading.set(
      thread,
      loaded.then(() => void loading.delete(thread)),
    );
  };

  return {
    watch(threads) {
      for (const thread of threads) if (!seen.has(thread)) watch(thread);
    },
    async over(patienceMs) {
      await Promise.race([Promise.all(loading.values()), sleep(patienceMs, undefined, { ref: false })]);
    },
  };
};
