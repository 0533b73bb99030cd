/**
 * The records in memory, and the ids that are known to be absent.
 *
 * How far a record is trusted is in freshness.ts. If no source answers for one that is due, it is served all the same: a phone gets
 * its redirect. While the truth is known to be away, no phone waits to find that out again: a record that is due is served at
 * once and revalidated meanwhile.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { type AbsenceOptions, createAbsences } from '../held/absences.ts';
import { createFreshness, disproved, type FreshnessOptions, never } from '../held/freshness.ts';
import type { Memory } from '../held/memory.ts';
import { createRevalidationPauses } from '../held/revalidation-pauses.ts';
import type { Revalidation } from '../held/store.ts';
import { type CheckableRecords, createCheckableRecords } from './checkable-records.ts';
import { saySame } from './held-record.ts';
import { createRecordTable, type RecordTable, type RecordTableOptions } from './record-table.ts';

export interface HeldRecordsOptions extends FreshnessOptions, AbsenceOptions, RecordTableOptions {}

/**
 * Other contents under the version that is held take its place: a restored database has come to the same version again.
 */
export interface HeldRecords extends Memory<CodeRecord> {
  /** The truth has another version: the record is revalidated with the truth before it is served. */
  disprove(id: string): void;
  /** Of the heap, by records that are kept as objects. */
  readonly objectBytes: number;
  readonly checkable: CheckableRecords;
}

/** Restored records in a second of the time in which they were scanned, which the snapshot does not have. */
const restoredPerSecond = 1000;

/** The records of the slots that still have one. */
function* recordsAt(table: RecordTable, slots: Uint32Array): Generator<CodeRecord> {
  for (const slot of slots) if (table.idAt(slot) !== undefined) yield table.recordAt(slot).toRecord();
}

/**
 * @param onOther called with a record that takes the place of another one of the same version
 * @param now a clock that is never set, in ms
 */
export const createHeldRecords = (
  options: HeldRecordsOptions,
  { revalidate, truthIsAway }: Revalidation,
  onOther: (record: CodeRecord) => void,
  now: () => number,
): HeldRecords => {
  const table = createRecordTable(options, now());
  const freshness = createFreshness(options);
  const absences = createAbsences(options);
  const pauses = createRevalidationPauses();
  const statistics = { hits: 0, misses: 0 };
  let invalidations = 0;

  const miss = (): undefined => void statistics.misses++;

  const peek = (id: string): CodeRecord | undefined => {
    const slot = table.find(id);
    return slot < 0 ? undefined : table.recordAt(slot);
  };

  return {
    held(id) {
      const nowMs = now();
      const slot = table.find(id);
      if (slot < 0 && absences.has(id, nowMs)) return null;
      if (slot < 0) return miss();
      const trust = freshness.trustIn(table.confirmedAtMs(slot), nowMs);
      if (trust === 'due' && !pauses.has(id, nowMs)) {
        if (!truthIsAway()) return miss();
        revalidate(id);
      } else if (trust === 'aging') revalidate(id);
      statistics.hits++;
      return table.scan(slot, nowMs);
    },
    peek,
    hold(record, validAtMs) {
      const slot = table.find(record.id);
      const held = slot < 0 ? undefined : table.recordAt(slot);
      if (held && (held.version > record.version || saySame(held, record))) {
        table.confirm(slot, validAtMs);
        return held;
      }
      if (held?.version === record.version) onOther(record);
      absences.forget(record.id);
      const kept = table.put(record, validAtMs, now());
      return kept < 0 ? record : table.recordAt(kept);
    },
    holdAbsence(id) {
      const slot = table.find(id);
      if (slot >= 0) table.remove(slot);
      absences.hold(id, now());
    },
    forgetAbsence: absences.forget,
    pauseRevalidation: (id) => pauses.begin(id, now()),
    invalidate(id) {
      invalidations++;
      const slot = table.find(id);
      if (slot >= 0 && table.confirmedAtMs(slot) !== disproved) table.confirm(slot, never);
      absences.forget(id);
    },
    disprove(id) {
      const slot = table.find(id);
      if (slot >= 0) table.confirm(slot, disproved);
    },
    invalidateAll() {
      invalidations++;
      freshness.invalidate(now());
      absences.forgetAll();
      pauses.endAll();
    },
    needsTruth(id) {
      const slot = table.find(id);
      return slot >= 0 && freshness.needsTruth(table.confirmedAtMs(slot));
    },
    restore(records) {
      for (const [index, record] of records.entries()) {
        if (table.find(record.id) >= 0 || table.size >= options.codesMax) continue;
        table.put(record, never, now() - 1000 * (1 + index / restoredPerSecond));
      }
    },
    hot: (max) => recordsAt(table, table.select(now(), max)),
    get news() {
      return table.news;
    },
    get size() {
      return table.size;
    },
    get objectBytes() {
      return table.objectBytes;
    },
    statistics,
    follow: freshness.follow,
    unfollow: freshness.unfollow,
    checkable: createCheckableRecords(table, freshness, () => invalidations, now),
  };
};
