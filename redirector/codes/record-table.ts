/**
 * The held records, each in a numbered slot that it keeps, so that a sweep can walk over a million of them in steps while
 * they come and go. A full table makes room as Redis does: of a few slots the one that was scanned longest ago is taken.
 * Against the linked list of an LRU a scan writes one number, and that once a second.
 *
 * Records that are kept as objects have a bound of bytes besides: a code with rules may take half a megabyte. They make room
 * for one another, so that the large codes of one workspace cost no other workspace its plain ones.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { type Cells, createCells } from './cells.ts';
import type { HeldRecord } from './held-record.ts';
import { createRecentRecords } from './recent-records.ts';
import { createScanTimes } from './scan-times.ts';
import { createSlotIndex, hashOf } from './slot-index.ts';

export interface RecordTable {
  /** The slot of the id; -1 if it is not held. */
  find(id: string): number;
  /**
   * A record takes the place of the earlier version, or a slot of its own.
   * @returns its slot; -1 where there is no room for it among the objects, and no version of it is held
   */
  put(record: CodeRecord, confirmedAtMs: number, scannedAtMs: number): number;
  remove(slot: number): void;
  recordAt(slot: number): HeldRecord;
  /** The record, which is scanned. */
  scan(slot: number, nowMs: number): HeldRecord;
  /** Undefined where the slot is empty. */
  idAt(slot: number): string | undefined;
  /** As {@link Cells.copyId}. */
  copyId: Cells['copyId'];
  /** A hash of the id. */
  hashAt(slot: number): number;
  versionAt(slot: number): number;
  confirmedAtMs(slot: number): number;
  confirm(slot: number, atMs: number): void;
  /** The occupied slots, the most recently scanned first, as far as {@link createScanTimes} knows. */
  recentFirst(nowMs: number, max: number): Uint32Array;
  /** The same for a snapshot, against which news count from then on. */
  select(nowMs: number, max: number): Uint32Array;
  /** How many records and versions have come, and scans of records that the last snapshot does not have. */
  readonly news: number;
  /** Slots that have ever been used: all others are empty. */
  readonly slots: number;
  readonly size: number;
  /** Of the heap, by records that are kept as objects. */
  readonly objectBytes: number;
}

export interface RecordTableOptions {
  codesMax: number;
  /** Of the heap, for records that are kept as objects. */
  objectBytesMax: number;
}

/** @param startMs the clock at its start */
export const createRecordTable = (
  { codesMax, objectBytesMax }: RecordTableOptions,
  startMs: number,
): RecordTable => {
  const cells = createCells();
  const index = createSlotIndex(codesMax, cells.has, cells.hashAt);
  const times = createScanTimes(codesMax, startMs);
  const recent = createRecentRecords();
  const free: number[] = [];
  let slots = 0;
  let puts = 0;

  const remove = (slot: number): void => {
    index.remove(cells.hashAt(slot), slot);
    cells.clear(slot);
    recent.forget(slot);
    times.clear(slot);
    free.push(slot);
  };

  const takeSlot = (): number => {
    // A full table has no empty slot.
    if (slots === codesMax && free.length === 0) remove(times.oldestOfSome());
    return free.pop() ?? slots++;
  };

  /** @returns whether the slot has kept its record */
  const makeRoomForObjects = (slot: number): boolean => {
    // One that has no room in an empty table either costs no other record its own.
    let isKept = cells.objects.bytesAt(slot) <= objectBytesMax;
    if (!isKept) remove(slot);
    while (cells.objects.bytes > objectBytesMax) {
      const oldest = times.oldestOf(cells.objects.some());
      remove(oldest);
      isKept &&= oldest !== slot;
    }
    return isKept;
  };

  const read = (slot: number): HeldRecord => recent.get(slot) ?? cells.read(slot);

  return {
    find: (id) => index.find(id, hashOf(id)),
    put(record, confirmedAtMs, scannedAtMs) {
      const hash = hashOf(record.id);
      const held = index.find(record.id, hash);
      const slot = held < 0 ? takeSlot() : held;
      puts++;
      cells.write(slot, record, hash, confirmedAtMs);
      recent.forget(slot);
      if (held < 0) {
        index.add(hash, slot);
        times.set(slot, scannedAtMs);
      }
      return makeRoomForObjects(slot) ? slot : -1;
    },
    remove,
    recordAt: read,
    scan(slot, nowMs) {
      const known = recent.get(slot);
      const isFrequent = times.touch(slot, nowMs);
      if (known !== undefined) return known;
      const record = cells.read(slot);
      if (isFrequent) recent.keep(slot, record);
      return record;
    },
    idAt: cells.idAt,
    copyId: cells.copyId,
    hashAt: cells.hashAt,
    versionAt: cells.versionAt,
    confirmedAtMs: cells.confirmedAtMs,
    confirm: cells.confirm,
    recentFirst: times.recentFirst,
    select: times.select,
    get news() {
      return puts + times.news;
    },
    get slots() {
      return slots;
    },
    get size() {
      return slots - free.length;
    },
    get objectBytes() {
      return cells.objects.bytes;
    },
  };
};
