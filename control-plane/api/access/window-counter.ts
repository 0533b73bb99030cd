/**
 * Counts in time windows, shared by all processes through Redis. While Redis does not answer, each process continues
 * from the last count that it knows: the limit is then per process, and requests neither wait nor get a new limit.
 */
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createEntryCache } from '#shared/entry-cache.ts';
import type { Redis } from '#shared/redis.ts';

/** After a failure, skip Redis for this long: a request must not wait for a known outage. */
const pauseAfterFailureMs = 1_000;
/** The limiters only count here; the caller knows the limit. */
const unlimited = Number.MAX_SAFE_INTEGER;
/** Counts that a process remembers. A displaced one starts over while Redis is down. */
const rememberedMax = 50_000;

export interface Count {
  /** In the window, including the added ones. */
  total: number;
  /** Until the next window, from the moment that Redis was asked; from now if it did not answer. */
  remainingMs: number;
}

export interface WindowCounter {
  /** Never fails. */
  add(key: string, count: number): Promise<Count>;
  /** Takes back what this process added just before. If the window has ended, nothing is left to take back. Never fails. */
  takeBack(key: string, count: number): Promise<Count>;
}

/** @param name prefix of the keys in Redis. A window begins with its first count. */
export type CreateWindowCounter = (name: string, windowSeconds: number) => WindowCounter;

/** A window as known to this process. It never ends later than Redis's. */
interface Window {
  total: number;
  endsAtMs: number;
}

/** Window counters that share one memory. */
export const createWindowCounters = (redis: Redis): CreateWindowCounter => {
  const windows = createEntryCache<string, Window>(rememberedMax);
  let askAgainAtMs = 0;

  /** The remembered window, with the count added; undefined if none is current. */
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
        // The connection itself reports the failure to the operator; here the process counts without Redis.
        askAgainAtMs = performance.now() + pauseAfterFailureMs;
        return undefined;
      }
    };

    const add = async (key: string, count: number): Promise<Count> => {
      const askedAtMs = performance.now();
      const heard = await ask(key, count, askedAtMs);
      const nowMs = performance.now();
      const own = ownWindow(`${name} ${key}`, count, nowMs);
      // Redis knows less if it was not asked, or has lost its counts.
      const known = heard && own && heard.total < own.total ? own : (heard ?? own);
      const window = known ?? { total: count, endsAtMs: nowMs + windowSeconds * 1000 };
      windows.set(`${name} ${key}`, window);
      return { total: window.total, remainingMs: window.endsAtMs - (window === heard ? askedAtMs : nowMs) };
    };

    return {
      add,
      async takeBack(key, count) {
        const isCurrent = ownWindow(`${name} ${key}`, 0, performance.now()) !== undefined;
        return isCurrent ? add(key, -count) : { total: 0, remainingMs: windowSeconds * 1000 };
      },
    };
  };
};
