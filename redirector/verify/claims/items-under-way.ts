/** Scans of one item in this process: while one claims it, the others wait for its outcome instead of asking Redis. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ItemsUnderWay {
  /** Resolves when the item is free. @returns false if that takes longer than `waitMs` */
  free(itemId: string, waitMs: number): Promise<boolean>;
  /** Takes a free item. @returns a function that gives it back */
  take(itemId: string): () => void;
}

export const createItemsUnderWay = (): ItemsUnderWay => {
  const taken = new Map<string, Promise<void>>();
  return {
    async free(itemId, waitMs) {
      const untilMs = performance.now() + waitMs;
      for (;;) {
        const other = taken.get(itemId);
        if (other === undefined) return true;
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) return false;
        const late = new AbortController();
        await Promise.race([other, sleep(leftMs, undefined, { signal: late.signal }).catch(() => undefined)]);
        late.abort();
      }
    },
    take(itemId) {
      const { promise, resolve } = Promise.withResolvers<void>();
      taken.set(itemId, promise);
      return () => {
        if (taken.get(itemId) === promise) taken.delete(itemId);
        resolve();
      };
    },
  };
};
