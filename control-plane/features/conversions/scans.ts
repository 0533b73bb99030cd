/** Finds the scans behind their ids, in ClickHouse. */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import type { ScanPlace } from '#shared/scan-ids.ts';
import { instant, literal, literals } from '../recorded-scans/sql.ts';

/** Where a scan must be: another workspace's scan is found under its own workspace only. */
export interface AskedScan extends ScanPlace {
  workspaceId: string;
}

/** The columns of a scan that its conversions repeat. */
export interface ScanRow {
  workspace_id: string;
  /** Milliseconds since 1970. */
  ts: number;
  event_id: string;
  code_id: string;
  kind: string;
  device: string;
  os: string;
  browser: string;
  country: string;
  referrer_host: string;
  source: string;
  variant_id: string;
  rule_id: string;
}

export type FindScans = (asked: readonly AskedScan[]) => Promise<(ScanRow | undefined)[]>;

/** Seconds after which the store may answer again. */
export const retryAfterSeconds = 5;

/** Whatever is at fault, the same reports can be sent again. */
export const unavailable = (cause?: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'The store of conversions is unavailable; nothing was lost, send it again', {
    cause,
    retryAfterSeconds,
  });

/** Each scan is in a granule of its own: some 8,000 rows are read for it. */
const batchMax = 200;
const waitingMax = 10_000;

const find = async (clickhouse: ClickHouseClient, asked: readonly AskedScan[]): Promise<ScanRow[]> => {
  const places = asked.map(
    ({ workspaceId, codeId, tsMs, eventId }) =>
      `(${literals([workspaceId, codeId])}, ${instant(tsMs)}, toUUID(${literal(eventId)}))`,
  );
  const result = await clickhouse.query({
    query: `
      SELECT workspace_id, toUnixTimestamp64Milli(ts) AS ms, toString(event_id) AS id, code_id, kind, device, os, browser,
        country, referrer_host, source, variant_id, rule_id
      FROM scans WHERE (workspace_id, code_id, ts, event_id) IN (${places.join(', ')})`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<Omit<ScanRow, 'ts' | 'event_id'> & { ms: string; id: string }>();
  return rows.map(({ ms, id, ...row }) => ({ ...row, ts: Number(ms), event_id: id }));
};

/**
 * Calls that come while one is being answered share the next statement.
 * @returns finds the scans of places, each undefined if the workspace has no such scan, or not yet. It throws UNAVAILABLE
 */
export const createFindScans = (clickhouse: ClickHouseClient): FindScans => {
  const keyOf = (workspaceId: string, eventId: string): string => `${workspaceId} ${eventId}`;
  const coalescer = createCoalescer<AskedScan, ScanRow>({
    keyOf: ({ workspaceId, eventId }) => keyOf(workspaceId, eventId),
    async runBatch(asked) {
      const rows = await find(clickhouse, asked);
      return new Map(rows.map((row) => [keyOf(row.workspace_id, row.event_id), row]));
    },
    batchMax,
    waitingMax: [waitingMax],
    refusal: unavailable,
  });
  return async (asked) => {
    try {
      return await coalescer.runAll(asked);
    } catch (error) {
      throw error instanceof ClientError ? error : unavailable(error);
    }
  };
};
