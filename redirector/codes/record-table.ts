/**
 * The held records, each in a numbered slot that it keeps, so that a sweep can walk over a million of them in steps while
 * they come and go. A full table makes room as Redis does: of a few slots the one that was scanned longest ago is taken.
 * Against the linked list of an LRU a scan writes one number, and that once a second.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { createMemo } from '#shared/memo.ts';
import { HeldRecord } from './held-record.ts';

/** A number of a slot; there is none below 0. */
export type Slot = number;

export interface RecordTable {
  /** The slot of the id; -1 where it is not held. */
  find(id: string): Slot;
  /** A record takes the place of the earlier version, or a slot of its own. */
  put(record: CodeRecord, confirmedAtMs: number, scannedAtMs: number): Slot;
  remove(slot: Slot): void;
  recordAt(slot: Slot): HeldRecord;
  /** Undefined where the slot is empty. */
  idAt(slot: Slot): string | undefined;
  versionAt(slot: Slot): number;
  confirmedAtMs(slot: Slot): number;
  confirm(slot: Slot, atMs: number): void;
  /** The record is scanned. */
  touch(slot: Slot, nowMs: number): void;
  /** The occupied slots, the most recently scanned first: within a second in any order, and the older the coarser. */
  recentFirst(nowMs: number, max: number): Uint32Array;
  /** Slots that have ever been used: all others are empty. */
  readonly slots: number;
  readonly size: number;
}

/** Slots that are looked at for one that makes room. */
const candidates = 16;
/** Slots whose columns are allocated at first; then twice as many, and so on. */
const slotsMin = 1024;
const workspacesMax = 10_000;
const neverS = -(2 ** 31);

/** Ages in groups that grow: 0 s, 1 s, 2 to 3 s, 4 to 7 s, and so on. */
const ageGroups = 33;
const ageGroup = (ageS: number): number => 32 - Math.clz32(Math.max(0, ageS));

const grown = <Column extends Float64Array | Int32Array>(column: Column, longer: Column): Column => {
  longer.set(column);
  return longer;
};

/**
 * @param codesMax its capacity
 * @param startMs the clock at its start
 */
export const createRecordTable = (codesMax: number, startMs: number): RecordTable => {
  const slotOf = new Map<string, Slot>();
  const records: (HeldRecord | undefined)[] = [];
  const free: Slot[] = [];
  let confirmedAtMs = new Float64Array(Math.min(codesMax, slotsMin));
  /** Since the start: a number of 32 bits lasts 68 years. */
  let scannedAtS = new Int32Array(confirmedAtMs.length);
  let hand = 0;
  const workspaceIds = createMemo(workspacesMax, (id: string) => id);

  const secondOf = (ms: number): number => Math.max(neverS, Math.floor((ms - startMs) / 1000));

  const remove = (slot: Slot): void => {
    slotOf.delete(records[slot]!.id);
    records[slot] = undefined;
    free.push(slot);
  };

  /** A full table has no empty slot. */
  const makeRoom = (): void => {
    let oldest = hand;
    for (let n = 0; n < Math.min(candidates, codesMax); n++) {
      const slot = (hand + n) % codesMax;
      if (scannedAtS[slot]! < scannedAtS[oldest]!) oldest = slot;
    }
    hand = (hand + candidates) % codesMax;
    remove(oldest);
  };

  const takeSlot = (): Slot => {
    if (slotOf.size >= codesMax) makeRoom();
    const reused = free.pop();
    if (reused !== undefined) return reused;
    if (records.length === confirmedAtMs.length) {
      const length = Math.min(codesMax, 2 * records.length);
      confirmedAtMs = grown(confirmedAtMs, new Float64Array(length));
      scannedAtS = grown(scannedAtS, new Int32Array(length));
    }
    return records.push(undefined) - 1;
  };

  /** How many slots are in each group of ages. */
  const countGroups = (nowS: number): Uint32Array => {
    const counts = new Uint32Array(ageGroups);
    for (let slot = 0; slot < records.length; slot++)
      if (records[slot] !== undefined) counts[ageGroup(nowS - scannedAtS[slot]!)]!++;
    return counts;
  };

  return {
    find: (id) => slotOf.get(id) ?? -1,
    put(record, atMs, scannedAtMs) {
      let slot = slotOf.get(record.id);
      if (slot === undefined) {
        slot = takeSlot();
        slotOf.set(record.id, slot);
        scannedAtS[slot] = secondOf(scannedAtMs);
      }
      records[slot] = new HeldRecord(record, workspaceIds.get(record.workspaceId));
      confirmedAtMs[slot] = atMs;
      return slot;
    },
    remove,
    recordAt: (slot) => records[slot]!,
    idAt: (slot) => records[slot]?.id,
    versionAt: (slot) => records[slot]!.version,
    confirmedAtMs: (slot) => confirmedAtMs[slot]!,
    confirm(slot, atMs) {
      confirmedAtMs[slot] = atMs;
    },
    touch(slot, nowMs) {
      const nowS = secondOf(nowMs);
      if (scannedAtS[slot] !== nowS) scannedAtS[slot] = nowS;
    },
    recentFirst(nowMs, max) {
      const nowS = secondOf(nowMs);
      const ends = countGroups(nowS);
      for (let group = 1; group < ageGroups; group++) ends[group]! += ends[group - 1]!;
      const order = new Uint32Array(Math.min(max, slotOf.size));
      for (let slot = records.length - 1; slot >= 0; slot--) {
        if (records[slot] === undefined) continue;
        const place = --ends[ageGroup(nowS - scannedAtS[slot]!)]!;
        if (place < max) order[place] = slot;
      }
      return order;
    },
    get slots() {
      return records.length;
    },
    get size() {
      return slotOf.size;
    },
  };
};
