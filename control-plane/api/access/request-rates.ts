/**
 * Requests per second of a subscription, over all its keys and all processes.
 *
 * A process takes a lease of some requests from the window's count in Redis and serves them from memory; only a request
 * that finds the lease used up asks again, and requests that arrive meanwhile wait for the same answer. Once the window
 * is exhausted, the rest of it is refused from memory. So a request costs no round trip of its own, and a flood costs
 * nothing.
 *
 * Accuracy: never more than the limit in one window, over all processes. A process that does not use up its lease
 * within the window withholds it from the others: with P processes, requests may be refused while (P - 1) × lease, 5%
 * of the limit for each further process, are still left.
 */
import { createEntryCache } from '#shared/entry-cache.ts';
import type { Redis } from '#shared/redis.ts';
import type { RateDecision } from './rate-decision.ts';
import { createWindowCounters } from './window-counter.ts';

const windowSeconds = 1;
/** A twentieth of a second's requests, but at least one. */
const leasesPerWindow = 20;
/** A forgotten subscription asks Redis again. */
const subscriptionsMax = 50_000;

interface Lease {
  /** Requests that can still be served from memory. */
  left: number;
  /** Requests that Redis had left for all processes after this lease. */
  leftInRedis: number;
  endsAtMs: number;
  waiting: number;
  renewal: Promise<void> | undefined;
}

export interface RequestRates {
  /** Takes one request; never fails. */
  take(subscriptionId: string, limit: number): Promise<RateDecision>;
}

export const createRequestRates = (redis: Redis): RequestRates => {
  const counter = createWindowCounters(redis)('rate', windowSeconds);
  const leases = createEntryCache<string, Lease>(subscriptionsMax);

  const leaseOf = (subscriptionId: string): Lease => {
    const held = leases.get(subscriptionId);
    if (held) return held;
    const lease: Lease = { left: 0, leftInRedis: 0, endsAtMs: 0, waiting: 0, renewal: undefined };
    leases.set(subscriptionId, lease);
    return lease;
  };

  const renew = async (subscriptionId: string, lease: Lease, limit: number): Promise<void> => {
    const wanted = Math.min(limit, Math.max(Math.ceil(limit / leasesPerWindow), lease.waiting));
    // The window is Redis's. Counting its remaining time from the request never ends it too late, however late the
    // answer.
    const askedAtMs = performance.now();
    const { total, remainingMs } = await counter.add(subscriptionId, wanted);
    lease.left = Math.max(0, Math.min(wanted, limit - (total - wanted)));
    lease.leftInRedis = Math.max(0, limit - total);
    lease.endsAtMs = askedAtMs + remainingMs;
  };

  return {
    async take(subscriptionId, limit) {
      const lease = leaseOf(subscriptionId);
      const decide = (allowed: boolean, nowMs: number): RateDecision => ({
        allowed,
        noun: 'request',
        sender: undefined,
        limit,
        windowSeconds,
        remaining: lease.left + lease.leftInRedis,
        resetSeconds: Math.max(1, Math.ceil((lease.endsAtMs - nowMs) / 1000)),
      });
      for (;;) {
        const nowMs = performance.now();
        if (nowMs < lease.endsAtMs) {
          if (lease.left > 0) {
            lease.left--;
            return decide(true, nowMs);
          }
          if (lease.leftInRedis === 0) return decide(false, nowMs);
        }
        lease.waiting++;
        lease.renewal ??= renew(subscriptionId, lease, limit).finally(() => {
          lease.renewal = undefined;
        });
        await lease.renewal;
        lease.waiting--;
      }
    },
  };
};
