/**
 * Scans per address and minute. They are counted in this process's memory, so that no scan waits for anyone, and
 * settled through Redis in the background, so that within a second every process knows what the others let through.
 *
 * An address is settled only once it could matter: with P processes, nobody is over the limit anywhere while each
 * process has counted less than limit / 2P. That is why tens of thousands of ordinary phones cost Redis nothing.
 * Memory is bounded by the number of addresses that are remembered; those not seen for longest are forgotten, and those
 * that were near the limit are found again in Redis.
 */
import type { Result } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { int32AsIpv4 } from './addresses.ts';
import { createMemo } from './memo.ts';

/** What an address did in the current window. */
export interface Bucket {
  /** An IPv4 address as an Int32, or the text of an IPv6 network: made into text only where Redis is asked. */
  readonly key: number | string;
  window: number;
  /** Counted here, and how much of that Redis has been told. */
  count: number;
  settled: number;
  /** Counted by other processes, as of the last settlement. */
  others: number;
  /** Whether it is on the list of those that are settled. */
  watched: boolean;
}

export interface RateLimitOptions {
  /** Scans in a window. */
  limit: number;
  windowMs: number;
  addressesMax: number;
  settleEveryMs: number;
}

/** The buckets of addresses; the same address has the same one for as long as it is remembered. */
export interface Buckets {
  /** @param address as an Int32 */
  ofIpv4(address: number): Bucket;
  /** @param address in canonical text */
  ofIpv6(address: string): Bucket;
}

export interface RateLimiter {
  readonly limit: number;
  readonly windowMs: number;
  readonly buckets: Buckets;
  /** Whether the address may scan now. Nothing is counted. */
  allows(bucket: Bucket, nowMs: number): boolean;
  /** Counts a scan. @returns how many are left in the window */
  count(bucket: Bucket, nowMs: number): number;
  readonly statistics: { addresses: number; settled: number };
  close(): Promise<void>;
}

/** At most so many addresses in one script: it runs for less than a millisecond. */
const settleBatchMax = 500;

// KEYS: one counter per address and window. ARGV: its lifetime in seconds, then what is to be added to each.
const settleScript = `
local totals = {}
for i, key in ipairs(KEYS) do
  totals[i] = redis.call('INCRBY', key, ARGV[i + 1])
  redis.call('EXPIRE', key, ARGV[1])
end
return totals`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    settleRateLimits(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
  }
}

/** Of IPv6 a customer has a /64 at least, so that is what is counted. */
export const ipv6Network = (address: string): string => {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailGroups = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - tailGroups.length;
  return `${[...groups, ...Array<string>(zeros).fill('0'), ...tailGroups].slice(0, 4).join(':')}::/64`;
};

const keyText = ({ key }: Bucket): string => (typeof key === 'number' ? int32AsIpv4(key) : key);

/** @param processes how many redirector processes there are, as far as is known */
export const createRateLimiter = (
  options: RateLimitOptions,
  redis: Redis,
  processes: () => number,
  logger: Logger,
): RateLimiter => {
  const { limit, windowMs, addressesMax, settleEveryMs } = options;
  const create = (key: number | string): Bucket => ({
    key,
    window: 0,
    count: 0,
    settled: 0,
    others: 0,
    watched: false,
  });
  const ipv4Buckets = createMemo(addressesMax / 2, create as (key: number) => Bucket);
  const ipv6Buckets = createMemo(addressesMax / 2, create as (key: string) => Bucket);
  let settledCount = 0;
  let watched: Bucket[] = [];
  let settleFrom = limit / 2;
  redis.defineCommand('settleRateLimits', { lua: settleScript });

  // Dividing the time for every scan would cost more than counting it.
  let window = 0;
  let windowEndsMs = 0;
  const turn = (bucket: Bucket, nowMs: number): void => {
    if (nowMs >= windowEndsMs || nowMs < windowEndsMs - windowMs) {
      window = Math.floor(nowMs / windowMs);
      windowEndsMs = (window + 1) * windowMs;
    }
    if (bucket.window === window) return;
    bucket.window = window;
    bucket.count = 0;
    bucket.settled = 0;
    bucket.others = 0;
    bucket.watched = false;
  };

  const settleBatch = async (batch: Bucket[]): Promise<void> => {
    const deltas = batch.map((bucket) => bucket.count - bucket.settled);
    const keys = batch.map((bucket) => `scans:${bucket.window}:${keyText(bucket)}`);
    const totals = await redis.settleRateLimits(
      keys.length,
      ...keys,
      Math.ceil((2 * windowMs) / 1000),
      ...deltas,
    );
    settledCount += batch.length;
    for (const [index, bucket] of batch.entries()) {
      bucket.settled += deltas[index]!;
      bucket.others = totals[index]! - bucket.settled;
    }
  };

  const settle = async (): Promise<void> => {
    settleFrom = Math.max(1, Math.floor(limit / (2 * Math.max(1, processes()))));
    const current = Math.floor(Date.now() / windowMs);
    watched = watched.filter((bucket) => bucket.watched && bucket.window === current);
    for (let start = 0; start < watched.length; start += settleBatchMax) {
      await settleBatch(watched.slice(start, start + settleBatchMax));
    }
  };

  let settling: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    settling = settling.then(settle).catch((error) => {
      logger.debug({ err: error }, 'rate limits could not be settled: each process counts for itself');
    });
  }, settleEveryMs);
  timer.unref();

  return {
    limit,
    windowMs,
    buckets: {
      ofIpv4: ipv4Buckets.get,
      ofIpv6: (address) => ipv6Buckets.get(ipv6Network(address)),
    },
    allows(bucket, nowMs) {
      turn(bucket, nowMs);
      return bucket.count + bucket.others < limit;
    },
    count(bucket, nowMs) {
      turn(bucket, nowMs);
      bucket.count++;
      if (!bucket.watched && bucket.count >= settleFrom) {
        bucket.watched = true;
        watched.push(bucket);
      }
      return Math.max(0, limit - bucket.count - bucket.others);
    },
    get statistics() {
      return { addresses: ipv4Buckets.size + ipv6Buckets.size, settled: settledCount };
    },
    async close() {
      clearInterval(timer);
      await settling;
    },
  };
};
