/** The table of the log in ClickHouse. */

import { ClickHouseError } from '@clickhouse/client';
import { requestLogDays } from '#schemas/api/request-logs.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import type { LogRow } from './recorder.ts';

/** Stores rows under a name; the same name again stores nothing. @throws ClickHouse's error */
export const insertRows = async (
  clickhouse: ClickHouseClient,
  name: string,
  rows: readonly LogRow[],
): Promise<void> => {
  await clickhouse.insert({
    table: 'request_log',
    // As a number, an instant would be read as seconds.
    values: rows.map((row) => ({ ...row, at: momentOf(row.at) })),
    format: 'JSONEachRow',
    clickhouse_settings: {
      insert_deduplication_token: name,
      insert_deduplicate: 1,
      // A batch already, and an acknowledgement must mean that it is stored.
      async_insert: 0,
      wait_end_of_query: 1,
    },
  });
};

/** `2026-05-04 12:00:00.000` */
const momentOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

/** A row as it is read. */
export interface StoredRow extends Omit<LogRow, 'at' | 'workspace_id'> {
  /** ISO 8601. */
  at: string;
}

/** Where a page ended. */
export interface LogPosition {
  at: string;
  seq: string;
}

export interface LogFilter {
  status?: readonly [from: number, to: number] | undefined;
  method?: string | undefined;
  route?: string | undefined;
  keyId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const dayMs = 86_400_000;

/** What is older is not shown, although ClickHouse drops it a day later. */
const oldestMs = (): number => Date.now() - requestLogDays * dayMs;

const columns = `toUnixTimestamp64Milli(at) AS ms, seq, request_id, method, route, path, status,
  error_code, error_param, duration_ms, key_id, network, idempotency_key`;

/** A scan of a large workspace's week ends before its client gives up, and leaves the other cores to others. */
const bounds = 'SETTINGS max_execution_time = 4, max_threads = 2';

const moment = (name: string) => `{${name}:DateTime64(3, 'UTC')}`;

const conditions: readonly (readonly [name: keyof LogFilter | 'before', sql: string])[] = [
  ['status', 'status BETWEEN {statusFrom:UInt16} AND {statusTo:UInt16}'],
  ['method', 'method = {method:String}'],
  ['route', 'route = {route:String}'],
  ['keyId', 'key_id = {keyId:String}'],
  ['to', `at < ${moment('to')}`],
  // The first half is what the primary key is searched by.
  ['before', `at <= ${moment('beforeAt')} AND (at, seq) < (${moment('beforeAt')}, {beforeSeq:String})`],
];

/** The newest first. @throws {ClientError} UNAVAILABLE */
export const listRows = (
  clickhouse: ClickHouseClient,
  workspaceId: string,
  { filter, before, limit }: { filter: LogFilter; before: LogPosition | undefined; limit: number },
): Promise<StoredRow[]> => {
  const { status, from, to, ...texts } = filter;
  const given = { ...filter, before };
  const used = conditions.filter(([name]) => given[name] !== undefined).map(([, sql]) => sql);
  return ask(
    clickhouse,
    `SELECT ${columns} FROM request_log
     WHERE ${['workspace_id = {workspaceId:String}', `at >= ${moment('from')}`, ...used].join(' AND ')}
     ORDER BY at DESC, seq DESC LIMIT {limit:UInt32} ${bounds}`,
    {
      ...texts,
      workspaceId,
      limit,
      from: momentOf(Math.max(from?.getTime() ?? 0, oldestMs())),
      ...(to && { to: momentOf(to.getTime()) }),
      ...(status && { statusFrom: status[0], statusTo: status[1] }),
      ...(before && { beforeAt: momentOf(Date.parse(before.at)), beforeSeq: before.seq }),
    },
  );
};

/** The latest request with the id. @throws {ClientError} UNAVAILABLE */
export const findRow = async (
  clickhouse: ClickHouseClient,
  workspaceId: string,
  requestId: string,
): Promise<StoredRow | undefined> => {
  const [row] = await ask(
    clickhouse,
    `SELECT ${columns}, error_message, body FROM request_log
     WHERE workspace_id = {workspaceId:String} AND at >= ${moment('from')} AND request_id = {requestId:String}
     ORDER BY at DESC, seq DESC LIMIT 1 ${bounds}`,
    { workspaceId, requestId, from: momentOf(oldestMs()) },
  );
  return row;
};

const timeoutExceeded = '159';
const tooMuch = 'The log of requests is too long to be searched in time; give from and to';

const ask = async (
  clickhouse: ClickHouseClient,
  query: string,
  given: Record<string, string | number>,
): Promise<StoredRow[]> => {
  try {
    const result = await clickhouse.query({ query, query_params: given, format: 'JSONEachRow' });
    const rows = await result.json<Omit<StoredRow, 'at'> & { ms: string }>();
    return rows.map(({ ms, ...row }) => ({ ...row, at: new Date(Number(ms)).toISOString() }));
  } catch (cause) {
    const isSlow = cause instanceof ClickHouseError && cause.code === timeoutExceeded;
    throw new ClientError(
      'UNAVAILABLE',
      isSlow ? tooMuch : 'The log of requests is temporarily unavailable',
      {
        cause,
      },
    );
  }
};
