/**
 * Limits scans per address and minute. Scans are counted in this process's memory, so no scan waits, and settled
 * through Redis in the background (settlement.ts), so within a second every process knows what the others let through.
 * Memory is bounded, see network-table.ts.
 */
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { ClientNetwork } from '../visitor/client-network.ts';
import { createNetworkTable, offset } from './network-table.ts';
import { createSettler, type SettlerOptions } from './settlement.ts';

/**
 * The number of the current time window. Dividing the time for every scan would cost more than counting the scan. A
 * scan counted late, after the next window has begun, counts in that window: an ended window is not reopened. A clock
 * that goes back by more than a window was set back.
 * @param onSetBack called if the clock was set back
 * @returns the number of the window at a time
 */
const createWindowClock = (windowMs: number, onSetBack: () => void): ((nowMs: number) => number) => {
  let window = 0;
  let endsMs = 0;
  return (nowMs) => {
    const isSetBack = nowMs < endsMs - 2 * windowMs;
    if (isSetBack) onSetBack();
    if (isSetBack || nowMs >= endsMs) {
      window = Math.floor(nowMs / windowMs);
      endsMs = (window + 1) * windowMs;
    }
    return window;
  };
};

export interface AddressLimitOptions extends SettlerOptions {
  /** How many networks are remembered. */
  networksMax: number;
}

export interface AddressLimit {
  readonly limit: number;
  readonly windowMs: number;
  /** Whether the network may scan now. Counts nothing. */
  allows(network: ClientNetwork, nowMs: number): boolean;
  /** Counts a scan. @returns how many scans are left in the window */
  count(network: ClientNetwork, nowMs: number): number;
  readonly statistics: { networks: number; settled: number };
  close(): Promise<void>;
}

/** @param processes the number of redirector processes, as far as known */
export const createAddressLimit = (
  options: AddressLimitOptions,
  redis: Redis,
  processes: () => number,
  logger: Logger,
): AddressLimit => {
  const { limit, windowMs } = options;
  const table = createNetworkTable(options.networksMax);
  const { cells } = table;
  const windowAt = createWindowClock(windowMs, table.clear);
  const settler = createSettler(options, table, windowAt, redis, processes, logger);

  return {
    limit,
    windowMs,
    allows({ networkHigh, networkLow }, nowMs) {
      const index = table.find(networkHigh, networkLow, windowAt(nowMs));
      return index < 0 || cells[index + offset.count]! + cells[index + offset.others]! < limit;
    },
    count({ networkHigh: high, networkLow: low }, nowMs) {
      const window = windowAt(nowMs);
      const index = table.take(high, low, window);
      const count = cells[index + offset.count]! + 1;
      cells[index + offset.count] = count;
      if (count >= settler.fromCount && cells[index + offset.watched] === 0)
        settler.watch(index, high, low, window);
      return Math.max(0, limit - count - cells[index + offset.others]!);
    },
    get statistics() {
      return { networks: table.size(windowAt(Date.now())), ...settler.statistics };
    },
    close: () => settler.close(),
  };
};
