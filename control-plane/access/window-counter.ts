/**
 * Counts in windows of time, shared by all processes through Redis. While Redis does not answer, each process counts
 * for itself: a limit is then a limit per process, and nobody waits.
 */
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from '#shared/redis.ts';

/** After a failure, this long Redis is not asked: a request must not pay for an outage that is known. */
const pauseAfterFailureMs = 1_000;
/** The limiters only count here; what a limit is, the caller knows. */
const unlimited = Number.MAX_SAFE_INTEGER;

export interface Count {
  /** In the window, those just added included. */
  total: number;
  /** Until the next window. */
  remainingMs: number;
}

export interface WindowCounter {
  /** Never fails. */
  add(key: string, count: number): Promise<Count>;
}

/** @param name prefix of the keys in Redis. A window begins with what is first counted in it. */
export const createWindowCounter = (redis: Redis, name: string, windowSeconds: number): WindowCounter => {
  const options = { points: unlimited, duration: windowSeconds, keyPrefix: name };
  const shared = new RateLimiterRedis({ ...options, storeClient: redis });
  const own = new RateLimiterMemory(options);
  let askAgainAtMs = 0;
  return {
    async add(key, count) {
      if (performance.now() >= askAgainAtMs) {
        try {
          return toCount(await shared.consume(key, count));
        } catch {
          // The connection itself tells the operator; here the answer to it is to count without Redis.
          askAgainAtMs = performance.now() + pauseAfterFailureMs;
        }
      }
      return toCount(await own.consume(key, count));
    },
  };
};

const toCount = ({
  consumedPoints,
  msBeforeNext,
}: {
  consumedPoints: number;
  msBeforeNext: number;
}): Count => ({
  total: consumedPoints,
  remainingMs: msBeforeNext,
});
