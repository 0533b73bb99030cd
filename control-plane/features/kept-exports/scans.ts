/**
 * All single scans of a workspace in a window, by code and in each code by time: that is the order in which ClickHouse has
 * them, for as long as they are kept, so that each page is one short read behind the last one. (`scan_log` has the order of
 * recording, but only of three months.)
 */
import { z } from 'zod';
import type { ScansExportBody } from '#schemas/api/kept-exports.ts';
import type { ScanObject } from '#schemas/api/scans.ts';
import { devices, operatingSystems, scanKinds } from '#schemas/scan-event.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import { inPieces } from '../../api/http/pieces.ts';
import { calendarOf, dayMs } from '../codes/analytics/calendar.ts';
import {
  exportedScan,
  noId,
  parseLine,
  readScanLines,
  rowsMax,
  scanColumns,
} from '../codes/export/scans/pages.ts';
import { beginOf, endOf } from '../recorded-scans/analytics/window.ts';
import { scanFields, scanTexts } from '../recorded-scans/events/texts.ts';
import { instant, literal } from '../recorded-scans/sql.ts';
import type { Contents } from './kind.ts';
import type { ExportRequest } from './store.ts';

export interface ScansRequest extends ExportRequest {
  fromMs: number;
  /** Not inside. */
  toMs: number;
  /** All scans made before were in ClickHouse when the export began; null: that was not known. */
  completeUntilMs: number | null;
  kind: ScansExportBody['kind'];
}

const storedScan = exportedScan.omit({ visitorHash: true }).extend({
  kindName: z.enum(scanKinds),
  deviceName: z.enum(devices),
  osName: z.enum(operatingSystems),
  codeId: z.string(),
});

type StoredScan = z.output<typeof storedScan>;

interface Place {
  codeId: string;
  tsMs: number;
  eventId: string;
}

const firstPlace: Place = { codeId: '', tsMs: 0, eventId: noId };

export interface ScansOptions {
  clickhouse: ClickHouseClient;
  /** For how many days the workspace keeps single scans. */
  keptDaysOf(workspaceId: string): Promise<number>;
  /** Up to when all scans are in ClickHouse. */
  deliveredUntil(): Promise<number | undefined>;
}

const invalid = (message: string): ClientError => new ClientError('INVALID_REQUEST', message);

/**
 * Scans that are on their way when the export begins would be in the file or not, by chance: the window ends before them.
 * @throws {ClientError} INVALID_REQUEST naming the end of a window
 */
export const requestOfScans = async (
  { keptDaysOf, deliveredUntil }: ScansOptions,
  workspaceId: string,
  { from, to, timezone, kind }: ScansExportBody,
): Promise<Omit<ScansRequest, 'bytesMax'>> => {
  const nowMs = Date.now();
  const days = await keptDaysOf(workspaceId);
  const oldestMs = nowMs - days * dayMs;
  const dayAt = calendarOf(timezone);
  const fromMs = from ? beginOf(from, dayAt) : oldestMs;
  if (fromMs < oldestMs - dayMs)
    throw invalid(`from must be at most ${days} days ago: single scans are kept for this long`);
  const untilMs = await deliveredUntil();
  const endMs = Math.min(to ? endOf(to, dayAt) : nowMs, nowMs, untilMs ?? nowMs);
  if (endMs <= fromMs)
    throw invalid(
      `to must be after from, and from must be before ${new Date(untilMs ?? nowMs).toISOString()}`,
    );
  return { fromMs, toMs: endMs, completeUntilMs: untilMs === undefined ? null : endMs, kind };
};

interface Read {
  after: Place;
  fromMs: number;
  rows: number;
}

const queryOf = (
  workspaceId: string,
  { kind, toMs }: ScansRequest,
  { after, fromMs, rows }: Read,
): string => `
  SELECT ${scanColumns}, code_id AS codeId FROM scans
  WHERE workspace_id = ${literal(workspaceId)} AND ts >= ${instant(fromMs)} AND ts < ${instant(toMs)}
    ${kind === 'all' ? '' : `AND kind = ${literal(kind)}`}
    AND code_id >= ${literal(after.codeId)} AND (code_id > ${literal(after.codeId)} OR (ts >= ${instant(after.tsMs)}
      AND (ts > ${instant(after.tsMs)} OR event_id > toUUID(${literal(after.eventId)}))))
  ORDER BY code_id, ts, event_id LIMIT ${rows}`;

const fields = scanFields.filter((field) => field !== 'recordedAt');

type ExportedScan = Pick<ScanObject, (typeof fields)[number]>;

const parse = (line: string): StoredScan => parseLine(storedScan, line);

const objectOf = (line: string): ExportedScan => {
  const scan = parse(line);
  return {
    id: scan.eventId,
    code: scan.codeId,
    scannedAt: new Date(scan.tsMs).toISOString(),
    kind: scan.kindName,
    device: scan.deviceName,
    os: scan.osName,
    browser: scan.browserName || null,
    country: scan.countryCode || null,
    referrer: scan.referrer || null,
    source: scan.sourceId || null,
    variant: scan.variant || null,
    rule: scan.rule || null,
  };
};

const texts = scanTexts(fields, objectOf);

const placeOf = (line: string): Place => {
  const { codeId, tsMs, eventId } = parse(line);
  return { codeId, tsMs, eventId };
};

export const createScansContents = ({ clickhouse, keptDaysOf }: ScansOptions): Contents => ({
  contents: 'scans',
  startOf: (format) => texts[format].start,
  async next({ workspaceId, format, request }, place, rowsLeft) {
    const asked = request as ScansRequest;
    // A workspace may keep them for less time than when the export began.
    const oldestMs = Date.now() - (await keptDaysOf(workspaceId)) * dayMs;
    const after = (place as Place | null) ?? firstPlace;
    const rows = Math.min(rowsMax, rowsLeft);
    const sql = queryOf(workspaceId, asked, { after, fromMs: Math.max(asked.fromMs, oldestMs), rows });
    const lines = await readScanLines(clickhouse, sql, {});
    const last = lines.at(-1);
    return {
      pieces: inPieces(lines, texts[format].textOf),
      rows: lines.length,
      place: last === undefined ? undefined : placeOf(last),
      isLast: lines.length < rows,
    };
  },
});
