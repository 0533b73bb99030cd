/** A workspace's scans by hour, day, week or month. */
import type { AnalyticsInterval } from '#schemas/api/workspace-analytics.ts';
import { isWhole, madeIn, type Selection, selected, tableFor } from '../single-scans.ts';
import { literal, second } from '../sql.ts';
import type { AskScans, Row } from './query.ts';
import { isOfQuarters, rowStarts, type ScanWindow } from './window.ts';

export interface SeriesFigures {
  scans: number;
  uniqueScans: number;
}

export interface Series {
  total: SeriesFigures;
  /** Every row of the window. */
  rows: ({ startMs: number } & SeriesFigures)[];
}

/** SQL: where the row of a moment begins. @param moment SQL, a DateTime */
export const startOfRow = (moment: string, starts: readonly number[]): string =>
  `roundDown(toUnixTimestamp(${moment}), [${starts.map((ms) => Math.floor(ms / 1000)).join(', ')}])`;

// The rollup of the rows begins at 0, which no row does: it is the whole window. Its visitors are merged from the rows': to
// merge those of all quarters once more would take twice as long.
const fromQuarters = (
  { workspaceId }: Selection,
  { fromMs, toMs }: ScanWindow,
  starts: readonly number[],
): string => `
  SELECT ${startOfRow('quarter', starts)} AS start, sum(scans) AS scans, uniqCombinedMerge(12)(visitors) AS uniqueScans
  FROM scans_quarterly
  WHERE workspace_id = ${literal(workspaceId)} AND quarter >= ${second(fromMs)} AND quarter < ${second(toMs)}
  GROUP BY start WITH ROLLUP`;

const fromSingleScans = (
  selection: Selection,
  window: ScanWindow,
  starts: readonly number[],
  now: Date,
): string => `
  SELECT ${startOfRow('toDateTime(ts)', starts)} AS start, count() AS scans, uniq(visitor) AS uniqueScans
  FROM ${tableFor(selection, window, now)}
  WHERE ${selected(selection)} AND kind = 'scan' AND ${madeIn(window)}
  GROUP BY start WITH ROLLUP`;

/** Whether the rollups have these scans: they know no code, and one column at a time. */
export const isRolledUp = (selection: Selection, window: ScanWindow): boolean =>
  isWhole(selection) && isOfQuarters(window);

const figuresOf = (row: Row | undefined): SeriesFigures => ({
  scans: Number(row?.scans ?? 0),
  uniqueScans: Number(row?.uniqueScans ?? 0),
});

/** @throws {ClientError} as {@link AskScans} */
export const readSeries = async (
  ask: AskScans,
  selection: Selection,
  window: ScanWindow,
  { interval, timezone, now }: { interval: AnalyticsInterval; timezone: string; now: Date },
): Promise<Series> => {
  const starts = rowStarts(window, interval, timezone);
  const sql = isRolledUp(selection, window)
    ? fromQuarters(selection, window, starts)
    : fromSingleScans(selection, window, starts, now);
  const found = await ask(selection.workspaceId, sql);
  const byStart = new Map(found.map((row) => [Number(row.start), row]));
  return {
    total: figuresOf(byStart.get(0)),
    rows: starts.map((startMs) => ({
      startMs,
      ...figuresOf(byStart.get(Math.floor(startMs / 1000))),
    })),
  };
};
