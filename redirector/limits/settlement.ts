/**
 * Settles the counts of networks between processes, through Redis: each process adds its own counts and learns the
 * others' counts. A network is settled only once that could matter: with P processes, it cannot be over the limit
 * anywhere while each process has counted less than limit / 2P. So tens of thousands of ordinary phones cost Redis
 * nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { networkText } from '../visitor/client-network.ts';
import { type NetworkTable, offset } from './network-table.ts';

export interface SettlerOptions {
  /** The prefix of its keys in Redis. */
  name: string;
  /** Scans per window. */
  limit: number;
  windowMs: number;
  settleEveryMs: number;
}

export interface Settler {
  /** Networks with at least this many scans in this process are to be watched. */
  readonly fromCount: number;
  /** Settles the network from now on, until its window ends or it loses its entry. */
  watch(index: number, high: number, low: number, window: number): void;
  readonly statistics: { settled: number };
  close(): Promise<void>;
}

/** Networks per script, at most; the script then runs for less than a millisecond. */
const settleBatchMax = 500;

// KEYS: one hash per network and window. ARGV: its lifetime in seconds, then for each network the token of a count and
// the total count. The total, not the increment: a settlement that arrives twice, or whose answer was lost, adds
// nothing twice.
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
    settleScanCounts(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
  }
}

/** A network near its limit, and its entry in the table at that time. */
interface Watched {
  /** Identifies this process and this stay in the table: a network that was evicted and is back counts from 0. */
  token: string;
  index: number;
  high: number;
  low: number;
  window: number;
}

/**
 * @param windowAt the number of the window at a time
 * @param processes the number of redirector processes, as far as known
 */
export const createSettler = (
  { name, limit, windowMs, settleEveryMs }: SettlerOptions,
  table: NetworkTable,
  windowAt: (nowMs: number) => number,
  redis: Redis,
  processes: () => number,
  logger: Logger,
): Settler => {
  const { cells } = table;
  const processId = randomUUID();
  let stays = 0;
  /** By index. */
  const watched = new Map<number, Watched>();
  redis.defineCommand('settleScanCounts', { lua: settleScript });

  /** Whether the entry still belongs to the network, in its window. */
  const hasEntry = (one: Watched): boolean =>
    watched.get(one.index) === one &&
    table.find(one.high, one.low, one.window) === one.index &&
    cells[one.index + offset.watched] === 1;

  const settleBatch = async (batch: Watched[]): Promise<void> => {
    const counts = batch.map(({ index }) => cells[index + offset.count]!);
    const keys = batch.map(({ window, high, low }) => `${name}:${window}:${networkText(high, low)}`);
    const totals = await redis.settleScanCounts(
      keys.length,
      ...keys,
      Math.ceil((2 * windowMs) / 1000),
      ...batch.flatMap(({ token }, position) => [token, counts[position]!]),
    );
    settler.statistics.settled += batch.length;
    for (const [position, one] of batch.entries()) {
      if (hasEntry(one)) cells[one.index + offset.others] = totals[position]! - counts[position]!;
    }
  };

  const settle = async (): Promise<void> => {
    const current = windowAt(Date.now());
    for (const one of watched.values()) {
      if (one.window !== current || !hasEntry(one)) watched.delete(one.index);
    }
    const remaining = [...watched.values()];
    for (let start = 0; start < remaining.length; start += settleBatchMax) {
      await settleBatch(remaining.slice(start, start + settleBatchMax));
    }
  };

  let settling: Promise<void> = Promise.resolve();
  /** Only while networks are watched: four limits would wake an idle process thirteen times a second. */
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    settling = settling.then(settle).catch((error) => {
      logger.debug({ err: error }, 'could not settle scan counts: each process counts on its own');
    });
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const settler = {
    get fromCount() {
      return Math.max(1, Math.floor(limit / (2 * Math.max(1, processes()))));
    },
    statistics: { settled: 0 },
    watch(index: number, high: number, low: number, window: number) {
      cells[index + offset.watched] = 1;
      timer ??= setInterval(tick, settleEveryMs).unref();
      watched.set(index, { token: `${processId}:${stays++}`, index, high, low, window });
    },
    async close() {
      clearInterval(timer);
      await settling;
    },
  };
  return settler;
};
