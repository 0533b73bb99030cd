/**
 * What networks did in the current window of time: a table of fixed size, in one array of numbers. Addresses are looked
 * up for every scan and most are new, so that a Map of objects cost 0.7 µs a scan in lookups and garbage; here it is two
 * cache lines, and nothing is allocated.
 *
 * The table is set-associative, as a CPU's cache is: a network may stand in one of four slots. When all four belong to
 * others of the current window, the one that did least is forgotten: a flood of addresses cannot displace one that is
 * near its limit.
 */
import { randomInt } from 'node:crypto';

/** Indices into a slot. */
export const slot = {
  /** The network as two Int32, see {@link Network}. */
  high: 0,
  low: 1,
  window: 2,
  /** Counted here. */
  count: 3,
  /** Counted elsewhere, as of the last settlement. */
  others: 4,
  /** 1 if the network is on the list of those that are settled. */
  watched: 5,
} as const;

const slotCells = 8;
const ways = 4;

export interface NetworkTable {
  readonly cells: Int32Array;
  /** The index of the network's slot; -1 if it did nothing in the window or later. */
  find(high: number, low: number, window: number): number;
  /**
   * The same, but what has no slot gets one. A network that is in a later window already stays there, and no slot of a
   * later window is given away: what comes late counts where the network is now, or begins a window only where there is
   * room.
   */
  take(high: number, low: number, window: number): number;
  /** Networks that did something in the window. */
  size(window: number): number;
  /** Forgets everything. */
  clear(): void;
}

/** @param slotsMax at least 4; the next smaller power of two is what there is */
export const createNetworkTable = (slotsMax: number): NetworkTable => {
  const bits = Math.floor(Math.log2(slotsMax / ways));
  const cells = new Int32Array((ways << bits) * slotCells);
  // Multiply-shift hashing (Dietzfelbinger et al., 1997): nobody can choose addresses that meet in one set.
  const [highFactor, lowFactor] = [randomInt(2 ** 32) | 1, randomInt(2 ** 32) | 1];
  const setOf = (high: number, low: number): number =>
    bits === 0 ? 0 : (Math.imul(high, highFactor) + Math.imul(low, lowFactor)) >>> (32 - bits);

  const indexOf = (high: number, low: number): number => {
    const first = setOf(high, low) * ways * slotCells;
    for (let index = first; index < first + ways * slotCells; index += slotCells) {
      if (cells[index + slot.low] === low && cells[index + slot.high] === high) return index;
    }
    return -1;
  };

  /** The slot in the network's set that can best be spared: one of an earlier window, or the one that did least. */
  const spare = (high: number, low: number, window: number): number => {
    const first = setOf(high, low) * ways * slotCells;
    let least = first;
    for (let index = first; index < first + ways * slotCells; index += slotCells) {
      if (cells[index + slot.window]! < window) return index;
      if (cells[index + slot.count]! < cells[least + slot.count]!) least = index;
    }
    return least;
  };

  const begin = (index: number, high: number, low: number, window: number): number => {
    cells[index + slot.high] = high;
    cells[index + slot.low] = low;
    cells[index + slot.window] = window;
    cells[index + slot.count] = 0;
    cells[index + slot.others] = 0;
    cells[index + slot.watched] = 0;
    return index;
  };

  return {
    cells,
    find(high, low, window) {
      const index = indexOf(high, low);
      return index >= 0 && cells[index + slot.window]! >= window ? index : -1;
    },
    take(high, low, window) {
      const index = indexOf(high, low);
      if (index >= 0 && cells[index + slot.window]! >= window) return index;
      return begin(index >= 0 ? index : spare(high, low, window), high, low, window);
    },
    size(window) {
      let size = 0;
      for (let index = slot.window; index < cells.length; index += slotCells) {
        if (cells[index] === window) size++;
      }
      return size;
    },
    clear() {
      cells.fill(0);
    },
  };
};
