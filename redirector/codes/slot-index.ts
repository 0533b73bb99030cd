/**
 * Where the record of an id is: a hash table of 32-bit numbers with linear probing, at most half full. A Map of a million
 * strings takes as much again as the records, and three more cache misses.
 */
import { randomInt } from 'node:crypto';

export interface SlotIndex {
  /** The slot of the id; -1 where it has none. */
  find(id: string, hash: number): number;
  /** The id must not be in it. */
  add(hash: number, slot: number): void;
  /** The slot must be in it. */
  remove(hash: number, slot: number): void;
}

/** No client can choose ids that meet in one place: the place of an id differs from process to process. */
const processSeed = randomInt(2 ** 32);

/** FNV-1a over the characters, from a seed, and MurmurHash3's finalizer, since linear probing needs the low bits to be even. */
export const hashOf = (id: string, seed = processSeed): number => {
  let hash = seed;
  for (let n = 0; n < id.length; n++) hash = Math.imul(hash ^ id.charCodeAt(n), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/**
 * @param slotsMax how many it has room for: its memory is taken as it is used
 * @param has whether a slot has the record of an id
 * @param hashAt the hash of the id of a slot
 */
export const createSlotIndex = (
  slotsMax: number,
  has: (slot: number, id: string, hash: number) => boolean,
  hashAt: (slot: number) => number,
): SlotIndex => {
  const length = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * slotsMax)));
  const mask = length - 1;
  /** The slot plus 1; 0 if the place is empty. */
  const entries = new Uint32Array(length);

  return {
    find(id, hash) {
      for (let at = hash & mask; ; at = (at + 1) & mask) {
        const entry = entries[at]!;
        if (entry === 0) return -1;
        if (has(entry - 1, id, hash)) return entry - 1;
      }
    },
    add(hash, slot) {
      let at = hash & mask;
      while (entries[at] !== 0) at = (at + 1) & mask;
      entries[at] = slot + 1;
    },
    remove(hash, slot) {
      let gap = hash & mask;
      while (entries[gap] !== slot + 1) gap = (gap + 1) & mask;
      // Entries that were pushed past the gap move into it: no mark of what was there is left behind.
      for (let at = (gap + 1) & mask; entries[at] !== 0; at = (at + 1) & mask) {
        const home = hashAt(entries[at]! - 1) & mask;
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        entries[gap] = entries[at]!;
        gap = at;
      }
      entries[gap] = 0;
    },
  };
};
