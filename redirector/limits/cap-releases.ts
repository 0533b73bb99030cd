/** Releases the tokens of takes in Redis, as soon as it listens: no scan waits for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '#shared/redis.ts';
import type { CapScripts, Release } from './cap-scripts.ts';

/**
 * Further releases are dropped. A slot that nobody used then comes back at the end of its lease or, where it was confirmed,
 * stays taken.
 */
const releasesMax = 100_000;
const batchMax = 250;
const retryMs = 100;
const closeWithinMs = 1000;

export interface Releases {
  add(release: Release): void;
  /** Slots that were given back. */
  readonly statistics: { returned: number };
  close(): Promise<void>;
}

export const createReleases = (redis: Redis, scripts: Pick<CapScripts, 'release'>): Releases => {
  const statistics = { returned: 0 };
  let waiting: Release[] = [];
  let working: Promise<void> | undefined;
  let closed = false;

  const sendBatch = async (): Promise<void> => {
    const batch = waiting.slice(0, batchMax);
    const returned = await scripts.release(batch);
    waiting = waiting.slice(batch.length);
    statistics.returned += returned.filter((one) => one === 1).length;
  };

  /** A batch that fails is sent again: a token that was released already is passed over. */
  const work = async (): Promise<void> => {
    // The turn that lets phones through answers them first, and releases all of their tokens together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !closed) {
      try {
        if (redis.status === 'ready') await sendBatch();
        else await sleep(retryMs);
      } catch {
        // Redis did not answer. The next take that it does not answer logs that.
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
    statistics,
    async close() {
      await Promise.race([working, sleep(closeWithinMs)]);
      closed = true;
      await working;
    },
  };
};
