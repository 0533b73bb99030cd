/** Adds the conversions to the analytics of scans. */
import type { ConversionFigures } from '#schemas/api/conversion-figures.ts';
import type { ColumnFilter } from '#schemas/api/scan-filters.ts';
import type { WorkspaceAnalytics, WorkspaceAnalyticsQuery } from '#schemas/api/workspace-analytics.ts';
import { type Converted, nothingConverted, shownFigures } from '../../codes/analytics/conversions.ts';
import { type CodeFacts, codeGroups, isCodeGroup } from '../codes-of.ts';
import {
  type ConversionGroups,
  type ConversionsAsked,
  readConversionSeries,
  readConversionsByCode,
  readConversionsByColumn,
} from './conversions.ts';
import { readConversionsByDestination } from './destinations/conversions.ts';
import type { GroupsAsked } from './groups.ts';
import type { AskScans } from './query.ts';
import { rowStarts, type ScanWindow } from './window.ts';

interface Sources {
  ask: AskScans;
  facts: CodeFacts;
}

interface Asked extends GroupsAsked {
  query: WorkspaceAnalyticsQuery;
}

interface Figures {
  scans: number;
  previousScans?: number | undefined;
}

/** What a row had in both windows. */
type Adding = <Row extends Figures>(
  row: Row,
  current: Converted,
  before: Converted | undefined,
) => Row & { conversions: ConversionFigures };

/** Rates are of conversions that are in the row of their scan. */
const createAdding = (query: WorkspaceAnalyticsQuery): Adding => {
  const hasRates = query.conversions === 'scanned';
  return (row, current, before) => ({
    ...row,
    conversions: shownFigures(current, hasRates ? row.scans : undefined),
    ...(before && {
      previousConversions: shownFigures(before, hasRates ? (row.previousScans ?? 0) : undefined),
    }),
  });
};

const conversionsAsked = (
  { query, selection }: Asked,
  time: ConversionsAsked['time'],
  window: ScanWindow,
): ConversionsAsked => ({ selection, window, time, event: query.event });

const inSeries = async (
  { ask }: Sources,
  asked: Asked,
  time: ConversionsAsked['time'],
  answer: WorkspaceAnalytics,
): Promise<WorkspaceAnalytics> => {
  const { query, window, previous } = asked;
  const read = async (of: ScanWindow) => {
    const starts = rowStarts(of, query.interval ?? 'day', query.timezone);
    const { total, rows } = await readConversionSeries(ask, conversionsAsked(asked, time, of), starts);
    return { total, rows: [...rows.values()] };
  };
  const [current, before] = await Promise.all([read(window), previous && read(previous)]);
  const add = createAdding(query);
  return {
    ...answer,
    total: add(answer.total, current.total, before?.total),
    data: answer.data.map((row, at) =>
      add(row, current.rows[at] ?? nothingConverted, before && (before.rows[at] ?? nothingConverted)),
    ),
  };
};

const inGroups = async (
  { ask, facts }: Sources,
  asked: Asked,
  time: ConversionsAsked['time'],
  answer: WorkspaceAnalytics,
): Promise<WorkspaceAnalytics> => {
  const { query, selection, window, previous } = asked;
  const { groupBy } = query;
  const listed = answer.data.map(({ value = '' }) => value);
  const read = (of: ScanWindow): Promise<ConversionGroups> => {
    const each = conversionsAsked(asked, time, of);
    if (groupBy === 'destination') return readConversionsByDestination(ask, facts, each, listed);
    if (!isCodeGroup(groupBy))
      return readConversionsByColumn(ask, each, groupBy as ColumnFilter | 'code', listed);
    const valuesOf = (ids: readonly string[]) => codeGroups[groupBy](facts, selection.workspaceId, ids);
    return readConversionsByCode(ask, each, valuesOf, listed);
  };
  const [current, before] = await Promise.all([read(window), previous && read(previous)]);
  const add = createAdding(query);
  const addTo = (row: Figures, of: (groups: ConversionGroups) => Converted) =>
    add(row, of(current), before && of(before));
  return {
    ...answer,
    total: addTo(answer.total, ({ total }) => total),
    data: answer.data.map((row) => ({
      ...row,
      ...addTo(row, ({ rows }) => rows.get(row.value ?? '') ?? nothingConverted),
    })),
    ...(answer.other && { other: addTo(answer.other, ({ other }) => other) }),
    ...(answer.unknown && {
      unknown: addTo(answer.unknown, ({ unknown }) => unknown ?? nothingConverted),
    }),
    ...(answer.none && { none: addTo(answer.none, ({ none }) => none) }),
  };
};

/** @throws {ClientError} as {@link AskScans} */
export const withConversions = (
  sources: Sources,
  asked: Asked,
  answer: WorkspaceAnalytics,
): WorkspaceAnalytics | Promise<WorkspaceAnalytics> => {
  const { conversions: time, groupBy } = asked.query;
  if (time === undefined) return answer;
  return groupBy === 'timeseries'
    ? inSeries(sources, asked, time, answer)
    : inGroups(sources, asked, time, answer);
};
