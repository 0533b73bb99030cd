/** A workspace's scans by country, code and so on. */
import type { ColumnFilter } from '#schemas/api/scan-filters.ts';
import { dayMs } from '../../codes/analytics/calendar.ts';
import { columnOf, isWhole, madeIn, type Selection, selected, tableFor } from '../single-scans.ts';
import { date, instant, literal, second } from '../sql.ts';
import type { AskScans, Row } from './query.ts';
import { isRolledUp } from './series.ts';
import type { ScanWindow } from './window.ts';

export interface GroupFigures {
  scans: number;
  previousScans: number;
}

export interface Groups {
  total: GroupFigures;
  /** Scans without a value. */
  none: GroupFigures;
  /** The values with the most scans. */
  rows: ({ value: string } & GroupFigures)[];
  /** Scans with further values. */
  rest: GroupFigures;
}

export interface GroupsAsked {
  selection: Selection;
  window: ScanWindow;
  /** The window before it, if it is compared. */
  previous: ScanWindow | undefined;
  limit: number;
  now: Date;
}

const figuresOf = (row: Row | undefined, current = 'current', previous = 'previous'): GroupFigures => ({
  scans: Number(row?.[current] ?? 0),
  previousScans: Number(row?.[previous] ?? 0),
});

/** Both windows together: one follows the other. */
const wholeOf = ({ window, previous }: GroupsAsked): ScanWindow => ({
  fromMs: previous?.fromMs ?? window.fromMs,
  toMs: window.toMs,
});

/**
 * The values with the most scans, and in each row the sums over all values. Scans without a value come first, so that the
 * limit does not cut them off.
 */
const ranked = (counts: string, limit: number): string => `
  SELECT value, current, previous, sum(current) OVER () AS allCurrent, sum(previous) OVER () AS allPrevious
  FROM (${counts} GROUP BY value HAVING current + previous > 0)
  ORDER BY value = '' DESC, current DESC, previous DESC, value LIMIT ${limit + 1}`;

/**
 * What is being erased may be below zero for a while.
 * @param isCurrent SQL @param scans SQL: how many a row has
 */
const sums = (isCurrent: string, scans: string): string =>
  `greatest(toInt64(sumIf(${scans}, ${isCurrent})), 0) AS current,
   greatest(toInt64(sumIf(${scans}, NOT (${isCurrent}))), 0) AS previous`;

const fromSingleScans = (asked: GroupsAsked, value: string): string => {
  const whole = wholeOf(asked);
  return ranked(
    `SELECT toString(${value}) AS value, ${sums(`ts >= ${instant(asked.window.fromMs)}`, '1')}
     FROM ${tableFor(asked.selection, whole, asked.now)}
     WHERE ${selected(asked.selection)} AND kind = 'scan' AND ${madeIn(whole)}`,
    asked.limit,
  );
};

const ofQuarters = (asked: GroupsAsked): string => {
  const { fromMs, toMs } = wholeOf(asked);
  return `workspace_id = ${literal(asked.selection.workspaceId)}
    AND quarter >= ${second(fromMs)} AND quarter < ${second(toMs)}`;
};

const isCurrentQuarter = ({ window }: GroupsAsked): string => `quarter >= ${second(window.fromMs)}`;

const fromQuarters = (asked: GroupsAsked, dimension: ColumnFilter): string =>
  ranked(
    `SELECT value, ${sums(isCurrentQuarter(asked), 'scans')}
     FROM scans_quarterly_breakdown
     WHERE dimension = ${literal(dimension)} AND ${ofQuarters(asked)}`,
    asked.limit,
  );

const allOfQuarters = (asked: GroupsAsked): string => `
  SELECT ${sums(isCurrentQuarter(asked), 'scans')} FROM scans_quarterly WHERE ${ofQuarters(asked)}`;

const minus = (one: GroupFigures, other: GroupFigures): GroupFigures => ({
  scans: one.scans - other.scans,
  previousScans: one.previousScans - other.previousScans,
});

/** @param found rows of {@link ranked} */
const groupsOf = (found: readonly Row[], limit: number): Groups => {
  const total = figuresOf(found[0], 'allCurrent', 'allPrevious');
  const none = figuresOf(found.find(({ value }) => value === ''));
  const rows = found
    .filter(({ value }) => value !== '')
    .slice(0, limit)
    .map((row) => ({ value: String(row.value), ...figuresOf(row) }));
  return { total, none, rows, rest: rows.reduce<GroupFigures>(minus, minus(total, none)) };
};

/** By any expression over the columns of a scan. @param value SQL @throws {ClientError} as {@link AskScans} */
export const groupsBySingleScans = async (
  ask: AskScans,
  asked: GroupsAsked,
  value: string,
): Promise<Groups> =>
  groupsOf(await ask(asked.selection.workspaceId, fromSingleScans(asked, value)), asked.limit);

const isAllRolledUp = (asked: GroupsAsked): boolean =>
  isRolledUp(asked.selection, wholeOf(asked)) && isRolledUp(asked.selection, asked.window);

/** @throws {ClientError} as {@link AskScans} */
export const readColumnGroups = async (
  ask: AskScans,
  asked: GroupsAsked,
  column: ColumnFilter,
): Promise<Groups> => {
  const { workspaceId } = asked.selection;
  if (!isAllRolledUp(asked)) return groupsBySingleScans(ask, asked, columnOf[column]);
  const [found, [all]] = await Promise.all([
    ask(workspaceId, fromQuarters(asked, column)),
    ask(workspaceId, allOfQuarters(asked)),
  ]);
  const [total, named] = [figuresOf(all), groupsOf(found, asked.limit)];
  return { ...named, total, none: minus(total, named.total) };
};

/** The whole UTC days of a window, and what is left of it at its ends. */
const daysAndEnds = ({ fromMs, toMs }: ScanWindow): { days: ScanWindow | undefined; ends: ScanWindow[] } => {
  const days = { fromMs: Math.ceil(fromMs / dayMs) * dayMs, toMs: Math.floor(toMs / dayMs) * dayMs };
  if (days.fromMs >= days.toMs) return { days: undefined, ends: [{ fromMs, toMs }] };
  const ends = [
    { fromMs, toMs: days.fromMs },
    { fromMs: days.toMs, toMs },
  ];
  return { days, ends: ends.filter((end) => end.fromMs < end.toMs) };
};

/**
 * From the days of each code, and the single scans at the ends of the window. Without ends, or with ends in the log, no
 * other scan is read.
 */
const fromDays = (asked: GroupsAsked): string => {
  const { selection, window, previous, now } = asked;
  const parts = [window, ...(previous ? [previous] : [])].flatMap((each) => {
    const isCurrent = each === window ? 'true' : 'false';
    const { days, ends } = daysAndEnds(each);
    const ofDays = days
      ? [
          `SELECT code_id AS value, scans AS counted, ${isCurrent} AS isCurrent FROM scans_daily
           WHERE workspace_id = ${literal(selection.workspaceId)}
             AND day >= ${date(days.fromMs)} AND day < ${date(days.toMs)}`,
        ]
      : [];
    const ofEnds = ends.map(
      (end) => `SELECT code_id AS value, 1 AS counted, ${isCurrent} AS isCurrent
           FROM ${tableFor(selection, end, now)} WHERE ${selected(selection)} AND kind = 'scan' AND ${madeIn(end)}`,
    );
    return [...ofDays, ...ofEnds];
  });
  return ranked(
    `SELECT value, ${sums('isCurrent', 'counted')} FROM (${parts.join(' UNION ALL ')})`,
    asked.limit,
  );
};

/** @throws {ClientError} as {@link AskScans} */
export const readCodeGroups = async (ask: AskScans, asked: GroupsAsked): Promise<Groups> => {
  if (!isWhole(asked.selection)) return groupsBySingleScans(ask, asked, 'code_id');
  return groupsOf(await ask(asked.selection.workspaceId, fromDays(asked)), asked.limit);
};
