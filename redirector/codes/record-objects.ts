/** The records that no cell has room for, as objects, by the number of their cell, and what they take of the heap. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { HeldRecord } from './held-record.ts';
import { heapBytesOf } from './record-size.ts';

export interface RecordObjects {
  /** The cell must have one. */
  get(cell: number): HeldRecord;
  /** In place of that of the cell, if it has one. */
  set(cell: number, held: HeldRecord, record: CodeRecord): void;
  delete(cell: number): void;
  /** Some cells that have one, other ones each time. */
  some(): number[];
  /** As {@link heapBytesOf} estimates it; 0 where the cell has none. */
  bytesAt(cell: number): number;
  /** Of all. */
  readonly bytes: number;
}

interface Entry {
  held: HeldRecord;
  bytes: number;
  /** Its place in the list of cells. */
  place: number;
}

/** Of which the one that was scanned longest ago makes room. */
const candidates = 16;

export const createRecordObjects = (): RecordObjects => {
  const entries = new Map<number, Entry>();
  /** Without gaps: the last one takes the place of one that goes. */
  const cells: number[] = [];
  let hand = 0;
  let bytes = 0;

  const remove = (cell: number): void => {
    const entry = entries.get(cell);
    if (entry === undefined) return;
    bytes -= entry.bytes;
    entries.delete(cell);
    const last = cells.pop()!;
    if (last === cell) return;
    cells[entry.place] = last;
    entries.get(last)!.place = entry.place;
  };

  return {
    get: (cell) => entries.get(cell)!.held,
    set(cell, held, record) {
      remove(cell);
      const entry = { held, bytes: heapBytesOf(record), place: cells.push(cell) - 1 };
      entries.set(cell, entry);
      bytes += entry.bytes;
    },
    delete: remove,
    some() {
      const count = Math.min(candidates, cells.length);
      const found = Array.from({ length: count }, (_, n) => cells[(hand + n) % cells.length]!);
      hand = (hand + count) % Math.max(1, cells.length);
      return found;
    },
    bytesAt: (cell) => entries.get(cell)?.bytes ?? 0,
    get bytes() {
      return bytes;
    },
  };
};
