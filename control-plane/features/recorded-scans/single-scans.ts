/**
 * Single scans in ClickHouse: in the order of recording (`scan_log`, three months), and by code (`scans`, as long as they are
 * kept).
 */
import { columnFilters, type ListFilter, type ScanFilters } from '#schemas/api/scan-filters.ts';
import { dayMs } from '../codes/analytics/calendar.ts';
import type { ScanWindow } from './analytics/window.ts';
import { instant, literal, literals } from './sql.ts';

/** The columns that filters compare. */
export const columnOf = {
  country: 'country',
  device: 'device',
  os: 'os',
  browser: 'browser',
  referrer: 'referrer_host',
  source: 'source',
  variant: 'variant_id',
  rule: 'rule_id',
} as const;

/** Less than the table keeps (schemas/clickhouse/0004): nothing of these days is being dropped. */
export const logDays = 91;

/** Whose scans, and which of them. */
export interface Selection {
  workspaceId: string;
  /** Filters by columns. */
  filters: ScanFilters;
  /** By code: {@link codesOf} of the filters about codes. */
  codes: readonly ListFilter[];
}

export const isWhole = ({ filters, codes }: Selection): boolean =>
  codes.length === 0 && columnFilters.every((name) => filters[name] === undefined);

/** The table that has the scans of a window, and finds those of a selection with less reading. */
export const tableFor = ({ codes }: Selection, { fromMs }: ScanWindow, now: Date): 'scans' | 'scan_log' => {
  const isByCode = codes.some(({ not }) => !not);
  return isByCode || fromMs < now.getTime() - logDays * dayMs ? 'scans' : 'scan_log';
};

/** SQL: whether a column passes a filter. */
export const isAmong = (column: string, { not, values }: ListFilter): string =>
  values.length === 0 ? (not ? '1' : '0') : `${column} ${not ? 'NOT IN' : 'IN'} (${literals(values)})`;

/** SQL: the scans of a selection. */
export const selected = ({ workspaceId, filters, codes }: Selection): string =>
  [
    `workspace_id = ${literal(workspaceId)}`,
    ...codes.map((filter) => isAmong('code_id', filter)),
    ...columnFilters.flatMap((name) => {
      const filter = filters[name];
      return filter ? [isAmong(columnOf[name], filter)] : [];
    }),
  ].join(' AND ');

/** SQL: the scans made in a window. */
export const madeIn = ({ fromMs, toMs }: ScanWindow): string =>
  `ts >= ${instant(fromMs)} AND ts < ${instant(toMs)}`;
