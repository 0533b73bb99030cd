/** Releases the tokens of takes in Redis, once Redis is reachable. No scan waits for that. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '#shared/redis.ts';
import type { CapScripts, Release } from './cap-scripts.ts';

/**
 * Further releases are dropped. An unused slot then comes back when its lease ends; if it was confirmed, it stays
 * taken.
 */
const releasesMax = 100_000;
const batchMax = 250;
const retryMs = 100;
const closeWithinMs = 1000;

export interface Releases {
  add(release: Release): void;
  /** Slots given back. */
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

  /** A failed batch is sent again; tokens already released are skipped. */
  const work = async (): Promise<void> => {
    // The iteration that lets phones through answers them first, then releases all their tokens together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !closed) {
      try {
        if (redis.status === 'ready') await sendBatch();
        else await sleep(retryMs);
      } catch {
        // Redis did not answer. The next take without an answer logs it.
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
