/**
 * Counts in windows of time, shared by all processes through Redis. While Redis does not answer, each process goes on from
 * the last count that it knows: a limit is then a limit per process, and nobody waits or starts anew.
 */
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createEntryCache } from '#shared/entry-cache.ts';
import type { Redis } from '#shared/redis.ts';

/** After a failure, this long Redis is not asked: a request must not pay for an outage that is known. */
const pauseAfterFailureMs = 1_000;
/** The limiters only count here; what a limit is, the caller knows. */
const unlimited = Number.MAX_SAFE_INTEGER;
/** Counts that a process remembers. One that is displaced begins anew while Redis is away. */
const rememberedMax = 50_000;

export interface Count {
  /** In the window, those just added included. */
  total: number;
  /** Until the next window, from the moment that Redis was asked; from now where it did not answer. */
  remainingMs: number;
}

export interface WindowCounter {
  /** Never fails. */
  add(key: string, count: number): Promise<Count>;
}

/** @param name prefix of the keys in Redis. A window begins with what is first counted in it. */
export type CreateWindowCounter = (name: string, windowSeconds: number) => WindowCounter;

/** A window as this process knows it. Its end is never later than Redis's. */
interface Window {
  total: number;
  endsAtMs: number;
}

/** Window counters that share one memory. */
export const createWindowCounters = (redis: Redis): CreateWindowCounter => {
  const windows = createEntryCache<string, Window>(rememberedMax);
  let askAgainAtMs = 0;

  /** The window that is remembered, with the count added; undefined where none goes on. */
  const ownWindow = (key: string, count: number, nowMs: number): Window | undefined => {
    const known = windows.get(key);
    if (known === undefined || known.endsAtMs <= nowMs) return undefined;
    return { total: known.total + count, endsAtMs: known.endsAtMs };
  };

  return (name, windowSeconds) => {
    const shared = new RateLimiterRedis({
      storeClient: redis,
      points: unlimited,
      duration: windowSeconds,
      keyPrefix: name,
    });

    const ask = async (key: string, count: number, askedAtMs: number): Promise<Window | undefined> => {
      if (askedAtMs < askAgainAtMs) return undefined;
      try {
        const { consumedPoints, msBeforeNext } = await shared.consume(key, count);
        return { total: consumedPoints, endsAtMs: askedAtMs + msBeforeNext };
      } catch {
        // The connection itself tells the operator; here the answer to it is to count without Redis.
        askAgainAtMs = performance.now() + pauseAfterFailureMs;
        return undefined;
      }
    };

    return {
      async add(key, count) {
        const askedAtMs = performance.now();
        const heard = await ask(key, count, askedAtMs);
        const nowMs = performance.now();
        const own = ownWindow(`${name} ${key}`, count, nowMs);
        // Redis knows less where it was not asked, or has lost its counts.
        const known = heard && own && heard.total < own.total ? own : (heard ?? own);
        const window = known ?? { total: count, endsAtMs: nowMs + windowSeconds * 1000 };
        windows.set(`${name} ${key}`, window);
        return { total: window.total, remainingMs: window.endsAtMs - (window === heard ? askedAtMs : nowMs) };
      },
    };
  };
};
