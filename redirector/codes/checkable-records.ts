/** The held records as the sweep walks over them, by their slots in the table. */
import { disproved, type Freshness, never } from '../held/freshness.ts';
import type { RecordTable } from './record-table.ts';

/** Records whose versions are asked for together. */
export interface Batch {
  readonly slots: readonly number[];
  /** Their ids, with commas between. */
  readonly ids: string;
  /** Of their ids. */
  readonly hashes: readonly number[];
  readonly versions: readonly number[];
  /** When they were gathered. */
  readonly atMs: number;
  /** How often records had been invalidated by then. */
  readonly invalidations: number;
}

export interface CheckableRecords extends Pick<RecordTable, 'slots'> {
  /** Those of the slots that have a record, as far as it is wanted. */
  gather(slots: Iterable<number>, isWanted: (slot: number) => boolean): Batch;
  /** The id of a record of a batch; undefined where the slot has another one by now, or none. */
  idOf(batch: Batch, index: number): string | undefined;
  /** Whether the record would be revalidated before it is served. */
  isDue(slot: number): boolean;
  /** The slots of the records, the most recently scanned first, by and large. */
  recentFirst(): Uint32Array;
  /**
   * The truth has had the version of a batch since it was gathered. Says nothing where the record has changed since, where any
   * was invalidated since, or where another question disproved it: its correction says more.
   */
  confirm(batch: Batch, index: number): void;
}

/** Of the ids of a batch, which has a few thousand of nine characters. */
const idBytesMax = 2 ** 16;
const comma = 0x2c;

/**
 * Ids are copied as bytes and compared by their hash: a string of each took half the time of the sweep.
 * @param invalidations how often records were invalidated: their time of confirmation is -Infinity then
 */
export const createCheckableRecords = (
  table: RecordTable,
  freshness: Freshness,
  invalidations: () => number,
  now: () => number,
): CheckableRecords => {
  const bytes = Buffer.alloc(idBytesMax);

  const isSame = ({ slots, hashes }: Batch, index: number): boolean =>
    table.hashAt(slots[index]!) === hashes[index];

  return {
    get slots() {
      return table.slots;
    },
    gather(slots, isWanted) {
      const batch = { slots: [] as number[], hashes: [] as number[], versions: [] as number[] };
      let end = 0;
      for (const slot of slots) {
        const idEnd = table.copyId(slot, bytes, end);
        if (idEnd === end || !isWanted(slot)) continue;
        bytes[idEnd] = comma;
        end = idEnd + 1;
        batch.slots.push(slot);
        batch.hashes.push(table.hashAt(slot));
        batch.versions.push(table.versionAt(slot));
      }
      const ids = bytes.toString('latin1', 0, Math.max(0, end - 1));
      return { ...batch, ids, atMs: now(), invalidations: invalidations() };
    },
    idOf: (batch, index) => (isSame(batch, index) ? table.idAt(batch.slots[index]!) : undefined),
    isDue: (slot) => freshness.trustIn(table.confirmedAtMs(slot), now()) === 'due',
    recentFirst: () => table.recentFirst(now(), table.size),
    confirm(batch, index) {
      const slot = batch.slots[index]!;
      if (!isSame(batch, index) || table.versionAt(slot) !== batch.versions[index]) return;
      const confirmedAtMs = table.confirmedAtMs(slot);
      if (confirmedAtMs === disproved) return;
      if (confirmedAtMs === never && invalidations() !== batch.invalidations) return;
      if (confirmedAtMs < batch.atMs) table.confirm(slot, batch.atMs);
    },
  };
};
