/** What became of tokens, told to Redis once it listens: no scan waits for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '#shared/redis.ts';
import type { CapScripts, Release } from './cap-scripts.ts';

/**
 * Beyond it, what is new is not kept: then a slot that nobody used comes back with its lease, or, where it was confirmed,
 * stays taken.
 */
const releasesMax = 100_000;
const batchMax = 250;
const retryMs = 100;
const closeWithinMs = 1000;

export interface Releases {
  add(release: Release): void;
  close(): Promise<void>;
}

/** @param onReturned told how many slots were given back */
export const createReleases = (
  redis: Redis,
  scripts: CapScripts,
  onReturned: (slots: number) => void,
): Releases => {
  let waiting: Release[] = [];
  let working: Promise<void> | undefined;
  let closed = false;

  const sendBatch = async (): Promise<void> => {
    const batch = waiting.slice(0, batchMax);
    const returned = await scripts.release(batch);
    waiting = waiting.slice(batch.length);
    onReturned(returned.filter((one) => one === 1).length);
  };

  /** A batch that fails is sent again: a token that was released already is passed over. */
  const work = async (): Promise<void> => {
    // The turn that let a phone through answers it first, and releases all of its tokens together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !closed) {
      try {
        if (redis.status === 'ready') await sendBatch();
        else await sleep(retryMs);
      } catch {
        // Redis did not answer; whoever asks it for more says so.
        await sleep(retryMs);
      }
    }
    working = undefined;
  };

  return {
    add(release) {
      if (waiting.length >= releasesMax) return;
      waiting.push(release);
      working ??= work();
    },
    async close() {
      await Promise.race([working, sleep(closeWithinMs)]);
      closed = true;
      await working;
    },
  };
};
