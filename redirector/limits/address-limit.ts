/**
 * Scans per address and minute. They are counted in this process's memory, so that no scan waits for anyone, and settled
 * through Redis in the background (settlement.ts), so that within a second every process knows what the others let
 * through. Memory is bounded, see network-table.ts.
 */
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { ClientNetwork } from '../visitor/client-network.ts';
import { createNetworkTable, offset } from './network-table.ts';
import { createSettler, type SettlerOptions } from './settlement.ts';

/**
 * The number of the current window of time. To divide the time for every scan would cost more than to count the scan. A scan may be counted seconds after it came, when the next window has begun: it counts there, since a window that is
 * over is not begun again. A clock that goes back by more than a window was set back.
 * @param onSetBack called then
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
  /** Networks that are remembered. */
  networksMax: number;
}

export interface AddressLimit {
  readonly limit: number;
  readonly windowMs: number;
  /** Whether the network may scan now. Nothing is counted. */
  allows(network: ClientNetwork, nowMs: number): boolean;
  /** Counts a scan. @returns how many are left in the window */
  count(network: ClientNetwork, nowMs: number): number;
  readonly statistics: { networks: number; settled: number };
  close(): Promise<void>;
}

/** @param processes how many redirector processes there are, as far as is known */
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
