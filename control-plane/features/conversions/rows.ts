/** Conversions as rows of ClickHouse. */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import { type ScanRow, unavailable } from './scans.ts';

/** A row of the table, by its columns. */
export interface ConversionRow extends ScanRow {
  conversion_id: string;
  event: string;
  /** Milliseconds since 1970. */
  occurred_at: number;
  /** Ten-thousandths of the currency. */
  units: number;
  currency: string;
}

/** Returns once the rows are stored. @throws {ClientError} UNAVAILABLE; some of them may be stored nevertheless */
export type StoreRows = (rows: readonly ConversionRow[]) => Promise<void>;

const batchMax = 1_000;
const waitingMax = 10_000;

/** `2026-05-04 12:00:00.000`: a number would be read as seconds. */
const momentOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

const insert = (clickhouse: ClickHouseClient, rows: readonly ConversionRow[]): Promise<unknown> =>
  clickhouse.insert({
    table: 'conversions',
    values: rows.map((row) => ({ ...row, ts: momentOf(row.ts), occurred_at: momentOf(row.occurred_at) })),
    format: 'JSONEachRow',
    // A batch already, and an acknowledgement must mean that it is stored.
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
  });

/** Rows that come while an INSERT is under way share the next one: ClickHouse takes few large ones, not many small ones. */
export const createStoreRows = (clickhouse: ClickHouseClient): StoreRows => {
  const coalescer = createCoalescer<ConversionRow, true>({
    keyOf: ({ workspace_id, conversion_id }) => `${workspace_id} ${conversion_id}`,
    async runBatch(rows) {
      await insert(clickhouse, rows);
      return new Map();
    },
    batchMax,
    waitingMax: [waitingMax],
    refusal: unavailable,
  });
  return async (rows) => {
    try {
      await coalescer.runAll(rows);
    } catch (error) {
      throw error instanceof ClientError ? error : unavailable(error);
    }
  };
};
