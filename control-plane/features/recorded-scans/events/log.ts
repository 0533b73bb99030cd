/** The scans of a workspace in the order in which they were recorded (`scan_log`, schemas/clickhouse/0004). */
import { z } from 'zod';
import { columnFilters } from '#schemas/api/scan-filters.ts';
import type { ScanObject } from '#schemas/api/scans.ts';
import { devices, operatingSystems, scanKinds } from '#schemas/scan-event.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { exportedScan, noId, parseLine, readScanLines, scanColumns } from '../../codes/export/scans/pages.ts';
import type { ScanWindow } from '../analytics/window.ts';
import { madeIn, type Selection, selected } from '../single-scans.ts';
import { instant, literal } from '../sql.ts';

const loggedScan = exportedScan.omit({ visitorHash: true }).extend({
  kindName: z.enum(scanKinds),
  deviceName: z.enum(devices),
  osName: z.enum(operatingSystems),
  codeId: z.string(),
  recordedMs: z.coerce.number(),
});

export type LoggedScan = z.output<typeof loggedScan>;

/** @throws {ClientError} UNAVAILABLE if the line is not a scan: ClickHouse has failed after its first rows */
export const parseLogged = (line: string): LoggedScan => parseLine(loggedScan, line);

/** Between two scans, in the order of recording. */
export interface Place {
  recordedMs: number;
  eventId: string;
}

/** Before every scan that was recorded at the moment or later. */
export const placeAt = (recordedMs: number): Place => ({ recordedMs, eventId: noId });

export const placeOf = ({ recordedMs, eventId }: LoggedScan): Place => ({ recordedMs, eventId });

export type Kind = (typeof scanKinds)[number] | 'all';

export interface LogQuery {
  selection: Selection;
  kind: Kind;
  window?: ScanWindow;
  order: 'asc' | 'desc';
  /** Only scans behind it, in the order. */
  after?: Place;
  /** Only scans before it, or at it, in the order of recording. */
  upTo?: Place;
  /** Only scans recorded before. */
  beforeMs?: number;
  rows: number;
}

const beyond = ({ recordedMs, eventId }: Place, than: '<' | '>', than2: string): string =>
  `recorded_at ${than}= ${instant(recordedMs)} AND (recorded_at ${than} ${instant(recordedMs)} OR event_id ${than2} toUUID(${literal(eventId)}))`;

const conditions = ({ selection, kind, window, order, after, upTo, beforeMs }: LogQuery): string[] => [
  selected(selection),
  ...(kind === 'all' ? [] : [`kind = ${literal(kind)}`]),
  ...(window ? [madeIn(window)] : []),
  ...(after ? [order === 'asc' ? beyond(after, '>', '>') : beyond(after, '<', '<')] : []),
  ...(upTo ? [beyond(upTo, '<', '<=')] : []),
  ...(beforeMs === undefined ? [] : [`recorded_at < ${instant(beforeMs)}`]),
];

/** Less than the client waits (framework/services.ts): ClickHouse does not go on after it was given up. */
const bounds = 'SETTINGS max_execution_time = 4, max_threads = 2';

/** Scans as lines of JSON. @throws {ClientError} UNAVAILABLE */
export const readLog = (clickhouse: ClickHouseClient, query: LogQuery): Promise<string[]> => {
  const order = query.order === 'asc' ? 'ASC' : 'DESC';
  const sql = `
    SELECT ${scanColumns}, code_id AS codeId, toUnixTimestamp64Milli(recorded_at) AS recordedMs
    FROM scan_log WHERE ${conditions(query).join(' AND ')}
    ORDER BY recorded_at ${order}, event_id ${order} LIMIT ${query.rows} ${bounds}`;
  return readScanLines(clickhouse, sql, {});
};

const iso = (ms: number): string => new Date(ms).toISOString();
const orNull = (text: string): string | null => text || null;

export const toScanObject = (scan: LoggedScan): ScanObject => ({
  id: scan.eventId,
  code: scan.codeId,
  scannedAt: iso(scan.tsMs),
  recordedAt: iso(scan.recordedMs),
  kind: scan.kindName,
  device: scan.deviceName,
  os: scan.osName,
  browser: orNull(scan.browserName),
  country: orNull(scan.countryCode),
  referrer: orNull(scan.referrer),
  source: orNull(scan.sourceId),
  variant: orNull(scan.variant),
  rule: orNull(scan.rule),
});

const textIn = {
  country: ({ countryCode }) => countryCode,
  device: ({ deviceName }) => deviceName,
  os: ({ osName }) => osName,
  browser: ({ browserName }) => browserName,
  referrer: ({ referrer }) => referrer,
  source: ({ sourceId }) => sourceId,
  variant: ({ variant }) => variant,
  rule: ({ rule }) => rule,
} as const satisfies Record<(typeof columnFilters)[number], (scan: LoggedScan) => string>;

/** The same as the conditions of a query, for a scan that has been read for several clients. */
export const createPasses = ({ filters, codes }: Selection, kind: Kind): ((scan: LoggedScan) => boolean) => {
  const tests = [
    ...codes.map(({ not, values }) => ({
      of: ({ codeId }: LoggedScan) => codeId,
      not,
      among: new Set(values),
    })),
    ...columnFilters.flatMap((name) => {
      const filter = filters[name];
      return filter ? [{ of: textIn[name], not: filter.not, among: new Set(filter.values) }] : [];
    }),
  ];
  return (scan) =>
    (kind === 'all' || scan.kindName === kind) &&
    tests.every(({ of, not, among }) => among.has(of(scan)) !== not);
};
