/**
 * What a round removes from the sums, and what it counts. ClickHouse changes a table part by part, and asks the condition of a change
 * again when it begins again. A condition about the sums would then be about what is half done: the part with 3 scans is gone, the
 * one that takes 3 off stays. So what is to be removed is written to a list first, and removed by it.
 */
import { literal, literals } from '../../recorded-scans/sql.ts';
import {
  dimensions,
  erasedDays,
  erasedScans,
  ofCodes,
  type SumsTable,
  staged,
  sums,
  touched,
} from './statements.ts';
import type { Erased } from './store.ts';

/** SQL: the rows of a list. */
const listed = (attempt: string, list: string): string =>
  `erasing_rows WHERE attempt = ${literal(attempt)} AND list = ${literal(list)}`;

/** SQL: the first columns of a list. */
const head = (attempt: string, list: string): string => `toUUID(${literal(attempt)}), ${literal(list)}`;

const namesOf = (table: SumsTable): string => sums[table].keys.map(([name]) => name).join(', ');

/** What has no scan any more. */
export const listEmpty = (table: SumsTable, attempt: string): string => {
  const names = namesOf(table);
  return `INSERT INTO erasing_rows (attempt, list, ${names}) SELECT ${head(attempt, table)}, ${names} FROM ${table}
    WHERE ${touched(table, attempt)} GROUP BY ${names} HAVING sum(scans) = 0`;
};

const since = (table: SumsTable): string => `${table} since`;

/** Of the keys of a list, and others: what was scanned since it was made, and a minute before, as an INSERT may take. */
export const listScannedSince = (table: SumsTable, attempt: string): string => {
  const list = listed(attempt, table);
  const columns = sums[table].keys.map(([name, sql]) => (name === sql ? name : `${sql} AS ${name}`));
  return `INSERT INTO erasing_rows (attempt, list, ${namesOf(table)})
    SELECT DISTINCT ${head(attempt, since(table))}, ${columns.join(', ')} FROM scan_log ${dimensions}
    WHERE workspace_id IN (SELECT workspace_id FROM ${list}) AND kind = 'scan' AND value != ''
      AND recorded_at >= (SELECT min(listed_at) - INTERVAL 1 MINUTE FROM ${list})`;
};

/** SQL: the rows of the list, unless they were scanned since. */
export const emptyRows = (table: SumsTable, attempt: string): string => {
  const names = namesOf(table);
  return `(${names}) IN (SELECT ${names} FROM ${listed(attempt, table)})
    AND (${names}) NOT IN (SELECT ${names} FROM ${listed(attempt, since(table))})`;
};

/**
 * Codes that lose whole days, with the scans of these days whose single scans are no longer kept. Codes with scans that arrived since
 * the staging lose theirs in the next round: now they would lose the sums of scans that are then taken off.
 */
export const listDays = (attempt: string, erasures: readonly Erased[]): string => {
  const days = erasedDays(erasures);
  return `INSERT INTO erasing_rows (attempt, list, workspace_id, code_id, scans)
    SELECT ${head(attempt, 'days')}, workspace_id, code_id, greatest(toInt64(sum(counted)), 0) FROM (
      SELECT workspace_id, code_id, scans AS counted FROM scans_daily WHERE ${days}
      UNION ALL SELECT workspace_id, code_id, 0 AS counted FROM scans_daily_breakdown WHERE ${days})
    WHERE code_id NOT IN (SELECT code_id FROM scans WHERE ${erasedScans(erasures)}) GROUP BY workspace_id, code_id`;
};

/** SQL: their rows. */
export const daysOfList = (attempt: string, erasures: readonly Erased[]): string =>
  `${erasedDays(erasures)} AND (workspace_id, code_id) IN (SELECT workspace_id, code_id FROM ${listed(attempt, 'days')})`;

/** The ids of codes that stay, without their scans. */
export const clearedCodes = (erasures: readonly Erased[]): string[] => {
  const gone = new Set(erasures.filter(({ what }) => what === 'code').map(({ codeId }) => codeId));
  return erasures.map(({ codeId }) => codeId).filter((id) => !gone.has(id));
};

/** A cap counts on. @param counted SQL: the column of scans, and the rows from which they are */
const count = (name: string, erasures: readonly Erased[], counted: readonly [string, string]): string =>
  `INSERT INTO erased_counts (workspace_id, code_id, name, scans)
   SELECT workspace_id, code_id, ${literal(name)}, ${counted[0]} FROM ${counted[1]}
     AND code_id IN (${literals(clearedCodes(erasures))}) GROUP BY workspace_id, code_id`;

export const countStaged = (attempt: string, erasures: readonly Erased[]): string =>
  count(`${attempt} scans`, erasures, [`countIf(kind = 'scan')`, staged(attempt)]);

export const countDays = (attempt: string, erasures: readonly Erased[]): string =>
  count(`${attempt} days`, erasures, ['sum(scans)', listed(attempt, 'days')]);

/** SQL: what was counted of codes that are erased themselves. */
export const countsOfErased = (erasures: readonly Erased[]): string =>
  ofCodes(erasures.filter(({ what }) => what === 'code'));
