/** Records of slots that are scanned again and again, as objects: reading one from its cell takes 0.2 µs. */
import type { HeldRecord } from './held-record.ts';

export interface RecentRecords {
  get(slot: number): HeldRecord | undefined;
  /** Keeps it in place of that of another slot. */
  keep(slot: number, record: HeldRecord): void;
  forget(slot: number): void;
}

/** A power of two: each slot has one place, which it shares with others. All of them take 3.5 MB. */
const places = 2 ** 14;
const placeMask = places - 1;

export const createRecentRecords = (): RecentRecords => {
  /** Slots and 1; 0 where there is none. */
  const slots = new Uint32Array(places);
  const records: (HeldRecord | undefined)[] = new Array(places).fill(undefined);
  return {
    get: (slot) => (slots[slot & placeMask] === slot + 1 ? records[slot & placeMask] : undefined),
    keep(slot, record) {
      slots[slot & placeMask] = slot + 1;
      records[slot & placeMask] = record;
    },
    forget(slot) {
      if (slots[slot & placeMask] !== slot + 1) return;
      slots[slot & placeMask] = 0;
      records[slot & placeMask] = undefined;
    },
  };
};
