/** The held records as the sweep walks over them, by their slots in the table. */
import type { Freshness } from './freshness.ts';
import type { RecordTable } from './record-table.ts';

export interface CheckableRecords extends Pick<RecordTable, 'slots' | 'idAt' | 'versionAt'> {
  /** Whether the record would be revalidated before it is served. */
  isDue(slot: number): boolean;
  /** The slots of the records, the most recently scanned first, by and large. */
  recentFirst(): Uint32Array;
  /**
   * The truth had this version at this moment. Says nothing where the record has changed since, or where any was
   * invalidated since `invalidations` was read.
   */
  confirm(slot: number, id: string, version: number, atMs: number, invalidations: number): void;
  /** How often records were invalidated. */
  readonly invalidations: number;
}

/** @param invalidations how often records were invalidated: their time of confirmation is -Infinity then */
export const createCheckableRecords = (
  table: RecordTable,
  freshness: Freshness,
  invalidations: () => number,
  now: () => number,
): CheckableRecords => ({
  get slots() {
    return table.slots;
  },
  idAt: table.idAt,
  versionAt: table.versionAt,
  isDue: (slot) => freshness.trustIn(table.confirmedAtMs(slot), now()) === 'due',
  recentFirst: () => table.recentFirst(now(), table.size),
  confirm(slot, id, version, atMs, invalidationsThen) {
    if (table.idAt(slot) !== id || table.versionAt(slot) !== version) return;
    const confirmedAtMs = table.confirmedAtMs(slot);
    if (confirmedAtMs === Number.NEGATIVE_INFINITY && invalidations() !== invalidationsThen) return;
    if (confirmedAtMs < atMs) table.confirm(slot, atMs);
  },
  get invalidations() {
    return invalidations();
  },
});
