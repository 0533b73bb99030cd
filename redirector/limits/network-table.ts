/**
 * The scans of networks in the current time window: a fixed-size table in one array of numbers. Every scan looks up its
 * address and most addresses are new, so a Map of objects cost 0.7 µs a scan in lookups and garbage; the table costs
 * two cache lines and allocates nothing.
 *
 * The table is set-associative, like a CPU's cache: a network may have one of the four entries of its set. If all four
 * belong to others in the current window, the one with the fewest scans is evicted: a flood of addresses cannot
 * displace a network near its limit.
 */
import { randomInt } from 'node:crypto';

/** The cells of an entry, from its index. */
export const offset = {
  /** The network as two Int32, see {@link ClientNetwork}. */
  high: 0,
  low: 1,
  window: 2,
  /** Counted here. */
  count: 3,
  /** Counted elsewhere, as of the last settlement. */
  others: 4,
  /** 1 while the network is settled, see settlement.ts. */
  watched: 5,
} as const;

const entryCells = 8;
/** Entries per set. */
const ways = 4;

export interface NetworkTable {
  readonly cells: Int32Array;
  /** The index of the network's entry; -1 if it has none in the window or later. */
  find(high: number, low: number, window: number): number;
  /**
   * The same, but gives a network without an entry one. A network whose entry is of a later window keeps it: a late
   * scan counts in its network's current window.
   */
  take(high: number, low: number, window: number): number;
  /** Networks with an entry in the window. */
  size(window: number): number;
  clear(): void;
}

/** @param entriesMax at least 4; rounded down to a power of two */
export const createNetworkTable = (entriesMax: number): NetworkTable => {
  const bits = Math.floor(Math.log2(entriesMax / ways));
  const cells = new Int32Array((ways << bits) * entryCells);
  // Multiply-shift hashing (Dietzfelbinger et al., 1997): an attacker cannot choose addresses that collide in one set.
  const [highFactor, lowFactor] = [randomInt(2 ** 32) | 1, randomInt(2 ** 32) | 1];
  const setOf = (high: number, low: number): number =>
    bits === 0 ? 0 : (Math.imul(high, highFactor) + Math.imul(low, lowFactor)) >>> (32 - bits);

  const indexOf = (high: number, low: number): number => {
    const first = setOf(high, low) * ways * entryCells;
    for (let index = first; index < first + ways * entryCells; index += entryCells) {
      if (cells[index + offset.low] === low && cells[index + offset.high] === high) return index;
    }
    return -1;
  };

  /** The entry to evict from the network's set: one of an earlier window, or the one with the fewest scans. */
  const spare = (high: number, low: number, window: number): number => {
    const first = setOf(high, low) * ways * entryCells;
    let least = first;
    for (let index = first; index < first + ways * entryCells; index += entryCells) {
      if (cells[index + offset.window]! < window) return index;
      if (cells[index + offset.count]! < cells[least + offset.count]!) least = index;
    }
    return least;
  };

  const begin = (index: number, high: number, low: number, window: number): number => {
    cells[index + offset.high] = high;
    cells[index + offset.low] = low;
    cells[index + offset.window] = window;
    cells[index + offset.count] = 0;
    cells[index + offset.others] = 0;
    cells[index + offset.watched] = 0;
    return index;
  };

  return {
    cells,
    find(high, low, window) {
      const index = indexOf(high, low);
      return index >= 0 && cells[index + offset.window]! >= window ? index : -1;
    },
    take(high, low, window) {
      const index = indexOf(high, low);
      if (index >= 0 && cells[index + offset.window]! >= window) return index;
      return begin(index >= 0 ? index : spare(high, low, window), high, low, window);
    },
    size(window) {
      let size = 0;
      for (let index = offset.window; index < cells.length; index += entryCells) {
        if (cells[index] === window) size++;
      }
      return size;
    },
    clear() {
      cells.fill(0);
    },
  };
};
