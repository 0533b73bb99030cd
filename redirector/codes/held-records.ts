/**
 * The records in memory, and the ids that are known to be absent.
 *
 * Absence is held for a short time and in a cache of its own, so that invented ids cannot displace real ones. A held
 * record is revalidated in the background once it is `freshMs` old, and before it is served once it is `staleMaxMs` old
 * or invalidated. If no source answers then, it is served all the same: a phone gets its redirect.
 */
import { LRUCache } from 'lru-cache';
import type { CodeRecord } from '#schemas/code-record.ts';
import { createMemo } from '#shared/memo.ts';
import { HeldRecord } from './held-record.ts';

export interface HeldRecordsOptions {
  codesMax: number;
  /** Absences that are held, and for how long. */
  absentMax: number;
  absentMs: number;
  freshMs: number;
  staleMaxMs: number;
}

export interface HeldRecords {
  /** The record, null if it is known to be absent, undefined if it must be loaded. */
  held(id: string, nowMs: number): CodeRecord | null | undefined;
  /** The record, however old it is. Does not count as a scan. */
  peek(id: string): CodeRecord | undefined;
  /** Holds the newer of two versions: the one that is held, and one that was valid at `validAtMs`. @returns that version */
  hold(record: CodeRecord, validAtMs: number): CodeRecord;
  /** Holds the id as absent. */
  holdAbsence(id: string): void;
  forgetAbsence(id: string): void;
  /** No source could revalidate the record: for a moment it is served without another attempt. */
  grantGrace(id: string): void;
  /** The record is revalidated before it is served. */
  invalidate(id: string): void;
  /** Every record is revalidated before it is served. */
  invalidateAll(): void;
  /** Whether the record is invalid because this process, and perhaps Redis, missed changes. */
  mayHaveMissedChanges(id: string): boolean;
  /** Holds records of an earlier process, the most recently scanned first: each is revalidated before it is served. */
  restore(records: CodeRecord[]): void;
  /** The records, the most recently scanned first. */
  hot(): Iterable<CodeRecord>;
  readonly size: number;
  readonly statistics: { hits: number; misses: number };
}

/** How long a record is served after a revalidation that no source answered, before the next one. */
const graceMs = 1000;
/** Codes whose grace is remembered. */
const gracesMax = 100_000;
const workspacesMax = 10_000;
const never = Number.NEGATIVE_INFINITY;

/**
 * @param revalidate asks the sources for a record that is served meanwhile
 * @param now the clock, in ms
 */
export const createHeldRecords = (
  { codesMax, absentMax, absentMs, freshMs, staleMaxMs }: HeldRecordsOptions,
  revalidate: (id: string) => void,
  now: () => number,
): HeldRecords => {
  const codes = new LRUCache<string, HeldRecord>({ max: codesMax });
  const absent = new LRUCache<string, number>({ max: absentMax });
  const graceUntilMs = new LRUCache<string, number>({ max: gracesMax });
  const workspaceIds = createMemo(workspacesMax, (id: string) => id);
  const statistics = { hits: 0, misses: 0 };
  /** A record that was last validated up to this moment is invalid. */
  let invalidUntilMs = never;

  const toHeld = (record: CodeRecord, validAtMs: number): HeldRecord =>
    new HeldRecord(record, workspaceIds.get(record.workspaceId), validAtMs);

  return {
    held(id, nowMs) {
      const entry = codes.get(id);
      if (entry === undefined) {
        const sinceMs = absent.get(id);
        if (sinceMs !== undefined && nowMs - sinceMs < absentMs) return null;
        statistics.misses++;
        return undefined;
      }
      const { validAtMs } = entry;
      const ageMs = nowMs - validAtMs;
      if (ageMs >= freshMs || validAtMs <= invalidUntilMs) {
        const isDue = ageMs >= staleMaxMs || validAtMs <= invalidUntilMs;
        if (!isDue) revalidate(id);
        else if ((graceUntilMs.get(id) ?? never) <= nowMs) {
          statistics.misses++;
          return undefined;
        }
      }
      statistics.hits++;
      return entry;
    },
    peek: (id) => codes.peek(id),
    hold(record, validAtMs) {
      const current = codes.peek(record.id);
      if (current && current.version >= record.version) {
        current.validAtMs = validAtMs;
        return current;
      }
      const held = toHeld(record, validAtMs);
      codes.set(record.id, held);
      absent.delete(record.id);
      return held;
    },
    holdAbsence(id) {
      codes.delete(id);
      absent.set(id, now());
    },
    forgetAbsence(id) {
      absent.delete(id);
    },
    grantGrace(id) {
      graceUntilMs.set(id, now() + graceMs);
    },
    invalidate(id) {
      const held = codes.peek(id);
      if (held) held.validAtMs = never;
      absent.delete(id);
    },
    invalidateAll() {
      invalidUntilMs = now();
      absent.clear();
      graceUntilMs.clear();
    },
    mayHaveMissedChanges(id) {
      const held = codes.peek(id);
      return held !== undefined && invalidUntilMs > never && held.validAtMs <= invalidUntilMs;
    },
    restore(records) {
      // The first was scanned last: it goes in last.
      for (const record of records.toReversed()) {
        if (!codes.has(record.id)) codes.set(record.id, toHeld(record, never));
      }
    },
    *hot() {
      for (const held of codes.values()) yield held.toRecord();
    },
    get size() {
      return codes.size;
    },
    statistics,
  };
};
