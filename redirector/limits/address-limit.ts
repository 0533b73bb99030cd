/**
 * Scans per address and minute. They are counted in this process's memory, so that no scan waits for anyone, and
 * settled through Redis in the background, so that within a second every process knows what the others let through.
 *
 * An address is settled only once it could matter: with P processes, nobody is over the limit anywhere while each
 * process has counted less than limit / 2P. That is why tens of thousands of ordinary phones cost Redis nothing.
 * Memory is bounded, see network-table.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { type Network, networkText } from '../visitor/network.ts';
import { createNetworkTable, slot } from './network-table.ts';

export interface AddressLimitOptions {
  /** Scans in a window. */
  limit: number;
  windowMs: number;
  /** Networks that are remembered. */
  networksMax: number;
  settleEveryMs: number;
}

export interface AddressLimit {
  readonly limit: number;
  readonly windowMs: number;
  /** Whether the network may scan now. Nothing is counted. */
  allows(network: Network, nowMs: number): boolean;
  /** Counts a scan. @returns how many are left in the window */
  count(network: Network, nowMs: number): number;
  readonly statistics: { networks: number; settled: number };
  close(): Promise<void>;
}

/** At most so many addresses in one script: it runs for less than a millisecond. */
const settleBatchMax = 500;

// KEYS: one hash per address and window. ARGV: its lifetime in seconds, then for each what has counted and how much that
// is in all: not how much is new, so that a settlement that arrives twice, or whose answer was lost, adds nothing twice.
const settleScript = `
local totals = {}
for i, key in ipairs(KEYS) do
  local who, count = ARGV[2 * i], tonumber(ARGV[2 * i + 1])
  local known = tonumber(redis.call('HGET', key, who) or 0)
  totals[i] = redis.call('HINCRBY', key, 'total', math.max(0, count - known))
  if count > known then redis.call('HSET', key, who, count) end
  redis.call('EXPIRE', key, ARGV[1])
end
return totals`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    settleRateLimits(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
  }
}

/** A network that is near its limit, and where it stood in the table when it was seen to be. */
interface Watched {
  /** Of this process and this stay in the table: one that was displaced and comes again counts from 0. */
  token: string;
  index: number;
  high: number;
  low: number;
  window: number;
}

/** @param processes how many redirector processes there are, as far as is known */
export const createAddressLimit = (
  options: AddressLimitOptions,
  redis: Redis,
  processes: () => number,
  logger: Logger,
): AddressLimit => {
  const { limit, windowMs, networksMax, settleEveryMs } = options;
  const table = createNetworkTable(networksMax);
  const { cells } = table;
  const process = randomUUID();
  let stays = 0;
  let settledCount = 0;
  /** By index. */
  const watched = new Map<number, Watched>();
  let settleFrom = limit / 2;
  redis.defineCommand('settleRateLimits', { lua: settleScript });

  // Dividing the time for every scan would cost more than counting it.
  let window = 0;
  let windowEndsMs = 0;
  /**
   * A scan may be counted seconds after it came, when the next window has begun: it counts there, since a window that is
   * over is not begun again. A clock that goes back by more than a window was set back.
   */
  const windowAt = (nowMs: number): number => {
    const isSetBack = nowMs < windowEndsMs - 2 * windowMs;
    if (isSetBack) table.clear();
    if (isSetBack || nowMs >= windowEndsMs) {
      window = Math.floor(nowMs / windowMs);
      windowEndsMs = (window + 1) * windowMs;
    }
    return window;
  };

  const settleBatch = async (batch: Watched[]): Promise<void> => {
    const counts = batch.map(({ index }) => cells[index + slot.count]!);
    const keys = batch.map(({ window, high, low }) => `scan-rate:${window}:${networkText(high, low)}`);
    const totals = await redis.settleRateLimits(
      keys.length,
      ...keys,
      Math.ceil((2 * windowMs) / 1000),
      ...batch.flatMap(({ token }, position) => [token, counts[position]!]),
    );
    settledCount += batch.length;
    for (const [position, one] of batch.entries()) {
      if (stands(one)) cells[one.index + slot.others] = totals[position]! - counts[position]!;
    }
  };

  /** Whether the slot is still the network's, in its window. */
  const stands = (one: Watched): boolean =>
    watched.get(one.index) === one &&
    table.find(one.high, one.low, one.window) === one.index &&
    cells[one.index + slot.watched] === 1;

  const settle = async (): Promise<void> => {
    settleFrom = Math.max(1, Math.floor(limit / (2 * Math.max(1, processes()))));
    const current = windowAt(Date.now());
    for (const one of watched.values()) {
      if (one.window !== current || !stands(one)) watched.delete(one.index);
    }
    const standing = [...watched.values()];
    for (let start = 0; start < standing.length; start += settleBatchMax) {
      await settleBatch(standing.slice(start, start + settleBatchMax));
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
    allows({ networkHigh, networkLow }, nowMs) {
      const index = table.find(networkHigh, networkLow, windowAt(nowMs));
      return index < 0 || cells[index + slot.count]! + cells[index + slot.others]! < limit;
    },
    count({ networkHigh: high, networkLow: low }, nowMs) {
      const index = table.take(high, low, windowAt(nowMs));
      const count = cells[index + slot.count]! + 1;
      cells[index + slot.count] = count;
      if (count >= settleFrom && cells[index + slot.watched] === 0) {
        cells[index + slot.watched] = 1;
        watched.set(index, { token: `${process}:${stays++}`, index, high, low, window });
      }
      return Math.max(0, limit - count - cells[index + slot.others]!);
    },
    get statistics() {
      return { networks: table.size(windowAt(Date.now())), settled: settledCount };
    },
    async close() {
      clearInterval(timer);
      await settling;
    },
  };
};
