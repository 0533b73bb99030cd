/** /api/qr/scans */
import { createHash } from 'node:crypto';
import { codeFilters, columnFilters } from '#schemas/api/scan-filters.ts';
import {
  limitOf,
  type ScanFormat,
  type ScanList,
  type ScanListQuery,
  scanListQuery,
} from '#schemas/api/scans.ts';
import { ClientError } from '#shared/errors.ts';
import { attachment } from '../../../api/http/attachment.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import { type Operation, operation, type Reply } from '../../../api/http/operation.ts';
import { dayMs } from '../../codes/analytics/calendar.ts';
import { windowAt } from '../analytics/window.ts';
import { type CodeFacts, codeIdsOf } from '../codes-of.ts';
import { logDays, type Selection } from '../single-scans.ts';
import type { Delivered } from './delivered.ts';
import { scansDocs } from './docs.ts';
import { logPages, scanFile, scanFiles } from './files.ts';
import type { Live } from './live.ts';
import { type Place, parseLogged, placeOf, toScanObject } from './log.ts';
import type { ScanReads } from './reads.ts';
import { scanEvents } from './stream.ts';

export interface ScanOptions {
  reads: ScanReads;
  facts: CodeFacts;
  delivered: Delivered;
  live: Live;
  cursors: TextCursors;
  /** How long a stream of events lasts. */
  streamMs: number;
}

type Format = ScanFormat | 'events';

const formatByType: Readonly<Record<string, Format>> = {
  'text/event-stream': 'events',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

const invalid = (message: string): ClientError => new ClientError('INVALID_REQUEST', message);

/** `format` comes before the header; of the header, the first type that is one of ours. */
const formatOf = ({ format }: ScanListQuery, accept: string): Format => {
  const types = accept.split(',').map((type) => type.split(';')[0]!.trim().toLowerCase());
  return format ?? types.map((type) => formatByType[type]).find((known) => known !== undefined) ?? 'json';
};

/** What a format cannot do is refused. */
const notIn: Readonly<Record<Format, readonly (keyof ScanListQuery)[]>> = {
  json: [],
  ndjson: ['limit', 'cursor', 'order'],
  csv: ['limit', 'cursor', 'order'],
  events: ['limit', 'order', 'days', 'from', 'to'],
};

const requireSupported = (query: ScanListQuery, format: Format): void => {
  const given = notIn[format].find((name) => query[name] !== undefined);
  if (given === undefined) return;
  const what = format === 'events' ? 'a stream of events' : `the format ${format}`;
  throw invalid(`${given} must not be given with ${what}`);
};

/** What a cursor belongs to: a page of other scans, or in another order, is not its next one. */
const listOf = (workspaceId: string, query: ScanListQuery): string => {
  const { days, from, to, timezone, kind, order } = query;
  const filters = [...codeFilters, ...columnFilters].map((name) => query[name] ?? null);
  const text = JSON.stringify([days, from, to, timezone, kind, order, filters]);
  return `scans ${workspaceId} ${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
};

const positionOf = ({ recordedMs, eventId }: Place): string => `${recordedMs}.${eventId}`;

const placeAtPosition = (position: string): Place => {
  const [recordedMs, eventId = ''] = position.split('.');
  return { recordedMs: Number(recordedMs), eventId };
};

const windowOf = (query: ScanListQuery, now: Date) => {
  const window = windowAt(query, now);
  if (window.fromMs < now.getTime() - logDays * dayMs)
    throw invalid(`from must be at most ${logDays} days ago; older scans of a code are in its scans.csv`);
  return window;
};

const pageOf = async (
  options: ScanOptions,
  selection: Selection,
  query: ScanListQuery,
): Promise<ScanList> => {
  const { reads, delivered, cursors } = options;
  const list = listOf(selection.workspaceId, query);
  const limit = limitOf(query);
  const window = windowOf(query, new Date());
  const after = query.cursor === undefined ? undefined : placeAtPosition(cursors.decode(list, query.cursor));
  // Before the scans are read: what was delivered then is among them.
  const untilMs = await delivered.until();
  const lines = await reads.page({
    selection,
    kind: query.kind,
    window,
    order: query.order ?? 'desc',
    ...(after && { after }),
    rows: limit + 1,
  });
  const scans = lines.slice(0, limit).map(parseLogged);
  const nextCursor = lines.length > limit ? cursors.encode(list, positionOf(placeOf(scans.at(-1)!))) : null;
  return {
    data: scans.map(toScanObject),
    pagination: { limit, cursor: query.cursor ?? null, nextCursor },
    completeUntil: untilMs === undefined ? null : new Date(untilMs).toISOString(),
  };
};

const fileOf = async (
  { reads, delivered }: ScanOptions,
  selection: Selection,
  query: ScanListQuery,
  format: 'ndjson' | 'csv',
): Promise<Reply> => {
  const window = windowOf(query, new Date());
  const untilMs = await delivered.until();
  const file = scanFiles[format];
  const pages = logPages(reads.next, { selection, kind: query.kind, window, order: 'asc' });
  const name = `waymark-scans-${new Date().toISOString().slice(0, 10)}.${file.extension}`;
  const reply = attachment(name, file.contentType, scanFile(file, pages));
  const headers: Record<string, string> = { ...reply.headers };
  if (untilMs !== undefined) headers['waymark-complete-until'] = new Date(untilMs).toISOString();
  return { ...reply, headers };
};

const streamOf = (
  { reads, live, cursors, streamMs }: ScanOptions,
  selection: Selection,
  query: ScanListQuery,
  lastEventId: string,
): Reply => {
  const { cursor: _, ...same } = query;
  const list = listOf(selection.workspaceId, same);
  const given = lastEventId || query.cursor;
  const from = given ? placeAtPosition(cursors.decode(list, given)) : undefined;
  const idOf = (place: Place): string => cursors.encode(list, positionOf(place));
  return {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
    pieces: scanEvents({ read: reads.next, live, idOf, streamMs }, selection, query.kind, from),
  };
};

export const createScanOperation = (options: ScanOptions): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/scans',
    query: scanListQuery,
    docs: scansDocs,
    async handle({ principal: { workspaceId }, query, header }) {
      const format = formatOf(query, header('accept'));
      requireSupported(query, format);
      const codes = await codeIdsOf(options.facts, workspaceId, query);
      const selection: Selection = { workspaceId, filters: query, codes };
      if (format === 'json') return { body: await pageOf(options, selection, query) };
      if (format === 'events') return streamOf(options, selection, query, header('last-event-id'));
      return fileOf(options, selection, query, format);
    },
  });
