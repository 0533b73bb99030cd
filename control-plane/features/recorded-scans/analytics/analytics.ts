/** The analytics of a workspace: which scans, in which window, in which rows. */

import type { ColumnFilter } from '#schemas/api/scan-filters.ts';
import {
  rowsOf,
  type WorkspaceAnalytics,
  type WorkspaceAnalyticsQuery,
} from '#schemas/api/workspace-analytics.ts';
import { ClientError } from '#shared/errors.ts';
import { dayMs } from '../../codes/analytics/calendar.ts';
import { type CodeFacts, codeGroups, codeIdsOf, codesMax, isCodeGroup, type ValuesOf } from '../codes-of.ts';
import { isWhole, type Selection } from '../single-scans.ts';
import { type DestinationGroups, readDestinationGroups } from './destinations/groups.ts';
import {
  type GroupFigures,
  type Groups,
  type GroupsAsked,
  readCodeGroups,
  readColumnGroups,
} from './groups.ts';
import type { AskScans } from './query.ts';
import { isRolledUp, readSeries } from './series.ts';
import { isOfUtcDays, type ScanWindow, windowAt, windowBefore } from './window.ts';
import { withConversions } from './with-conversions.ts';

export interface AnalyticsSources {
  ask: AskScans;
  facts: CodeFacts;
  /** For how many days single scans of a workspace are kept. */
  keptDaysOf(workspaceId: string): Promise<number>;
}

interface Asked extends GroupsAsked {
  query: WorkspaceAnalyticsQuery;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const headOf = ({ query, window, previous }: Asked) => ({
  groupBy: query.groupBy,
  from: iso(window.fromMs),
  to: iso(window.toMs),
  timezone: query.timezone,
  ...(previous && { previous: { from: iso(previous.fromMs), to: iso(previous.toMs) } }),
});

const seriesOf = async (ask: AskScans, asked: Asked): Promise<WorkspaceAnalytics> => {
  const { query, selection, window, previous, now } = asked;
  const options = { interval: query.interval ?? 'day', timezone: query.timezone, now };
  const [current, before] = await Promise.all([
    readSeries(ask, selection, window, options),
    previous && readSeries(ask, selection, previous, options),
  ]);
  // A window before may have fewer rows: its month is shorter, or a clock was set.
  const compared = (then: { scans: number; uniqueScans: number } | undefined) =>
    before && { previousScans: then?.scans ?? 0, previousUniqueScans: then?.uniqueScans ?? 0 };
  return {
    ...headOf(asked),
    interval: options.interval,
    total: { ...current.total, ...compared(before?.total) },
    data: current.rows.map(({ startMs, ...figures }, row) => ({
      start: iso(startMs),
      ...figures,
      ...compared(before?.rows[row]),
    })),
  };
};

const add = (one: GroupFigures, other: GroupFigures): GroupFigures => ({
  scans: one.scans + other.scans,
  previousScans: one.previousScans + other.previousScans,
});

/** Groups by a value of the codes, from the groups by code. */
const byValue = async (
  { rows, total, none, rest }: Groups,
  valuesOf: (ids: readonly string[]) => ReturnType<ValuesOf>,
): Promise<Groups> => {
  const values = await valuesOf(rows.map(({ value }) => value));
  const sums = new Map<string, GroupFigures>();
  let without = none;
  for (const row of rows) {
    const own = values.get(row.value) ?? [];
    if (own.length === 0) without = add(without, row);
    for (const value of own) sums.set(value, add(sums.get(value) ?? { scans: 0, previousScans: 0 }, row));
  }
  const sorted = [...sums]
    .map(([value, figures]) => ({ value, ...figures }))
    .sort((a, b) => b.scans - a.scans || b.previousScans - a.previousScans || (a.value < b.value ? -1 : 1));
  return { total, none: without, rows: sorted, rest };
};

const readGroups = (
  { ask, facts }: AnalyticsSources,
  asked: Asked,
): Promise<Groups & Partial<DestinationGroups>> => {
  const { groupBy } = asked.query;
  if (groupBy === 'destination') return readDestinationGroups(ask, facts, asked);
  if (groupBy === 'code') return readCodeGroups(ask, asked);
  if (!isCodeGroup(groupBy)) return readColumnGroups(ask, asked, groupBy as ColumnFilter);
  const { workspaceId } = asked.selection;
  return readCodeGroups(ask, { ...asked, limit: codesMax }).then((groups) =>
    byValue(groups, (ids) => codeGroups[groupBy](facts, workspaceId, ids)),
  );
};

const groupsOf = async (sources: AnalyticsSources, asked: Asked): Promise<WorkspaceAnalytics> => {
  const { total, none, rows, rest, unknown } = await readGroups(sources, asked);
  const shown = ({ scans, previousScans }: GroupFigures) => ({
    scans,
    ...(asked.previous && { previousScans }),
  });
  const listed = rows.slice(0, asked.limit);
  const other = rows.slice(asked.limit).reduce(add, rest);
  return {
    ...headOf(asked),
    total: shown(total),
    data: listed.map(({ value, ...figures }) => ({ value, ...shown(figures) })),
    other: shown(other),
    none: shown(none),
    ...(unknown && { unknown: shown(unknown) }),
  };
};

/** Whether the answer is made from single scans, at least in part. Conversions are kept as long as these are. */
const needsSingleScans = ({ query, selection, window, previous }: Asked): boolean => {
  if (query.conversions !== undefined || query.groupBy === 'destination') return true;
  const windows = [window, ...(previous ? [previous] : [])];
  if (query.groupBy === 'code' || isCodeGroup(query.groupBy))
    return !(isWhole(selection) && windows.every(isOfUtcDays));
  return !windows.every((each) => isRolledUp(selection, each));
};

/** @throws {ClientError} INVALID_REQUEST if a window begins before the single scans that it needs are kept */
const requireKept = async ({ keptDaysOf }: AnalyticsSources, asked: Asked): Promise<void> => {
  if (!needsSingleScans(asked)) return;
  const { fromMs } = asked.previous ?? asked.window;
  const keptDays = await keptDaysOf(asked.selection.workspaceId);
  if (fromMs >= asked.now.getTime() - keptDays * dayMs) return;
  throw new ClientError(
    'INVALID_REQUEST',
    `from must be at most ${keptDays} days ago${asked.previous ? ', also that of the window before' : ''}: conversions, ` +
      'destinations, filters, codes in time zones and windows that are not of whole quarters of an hour need single scans, which are kept for ' +
      'this long',
  );
};

/**
 * @throws {ClientError} INVALID_REQUEST for a window or a filter that cannot be answered; UNAVAILABLE and RATE_LIMITED as
 *   {@link AskScans}
 */
export const readWorkspaceAnalytics = async (
  sources: AnalyticsSources,
  workspaceId: string,
  query: WorkspaceAnalyticsQuery,
  now: Date,
): Promise<WorkspaceAnalytics> => {
  const window: ScanWindow = windowAt(query, now);
  const codes = await codeIdsOf(sources.facts, workspaceId, query);
  const selection: Selection = { workspaceId, filters: query, codes };
  const asked: Asked = {
    query,
    selection,
    window,
    previous: query.compare && windowBefore(window, query.timezone),
    limit: rowsOf(query),
    now,
  };
  await requireKept(sources, asked);
  const answer = await (query.groupBy === 'timeseries'
    ? seriesOf(sources.ask, asked)
    : groupsOf(sources, asked));
  return withConversions(sources, asked, answer);
};
