/** The rows of imports in PostgreSQL. */
import type { ImportReason, ImportRowState } from '#schemas/api/imports.ts';
import { type DoneRow, storable, type WaitingRow } from '../../../jobs/row-ends.ts';
import { bodyOfRow, insertsOf, type NewRow, valuesOf } from '../../../jobs/row-inserts.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { Link } from '../read/link.ts';

/** The states that a phase ends. */
export type WaitingState = Extract<ImportRowState, 'waiting' | 'ready'>;

/** What became of a row, beside its state. */
export interface RowResult {
  status: ImportRowState;
  reason?: ImportReason;
  code?: string;
  message?: string;
  codeId?: string;
}

export interface ImportRow {
  /** From 0, in the order in which the codes are made. */
  position: number;
  link: Link;
}

/** @param rows their links as JSON */
export const insertRows = async (
  tx: Transaction,
  importId: string,
  rows: readonly NewRow[],
): Promise<void> => {
  for (const some of insertsOf(rows))
    await tx.query({
      name: 'insert-import-rows',
      text: `INSERT INTO import_rows (import_id, position, link)
             SELECT $1, position, convert_from(${bodyOfRow}, 'UTF8')::json
             FROM unnest($3::integer[], $4::integer[]) AS n (position, bytes)`,
      values: [importId, ...valuesOf(some)],
    });
};

/** Bytes of the links of all imports of a workspace, as they are stored. */
export const sumBytes = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'sum-import-bytes',
    text: `SELECT coalesce(sum(pg_column_size(link)), 0)::double precision AS bytes FROM import_rows
           WHERE import_id IN (SELECT id FROM imports WHERE workspace_id = $1)`,
    values: [workspaceId],
  });
  return rows[0]!.bytes;
};

/** The rows that were begun least often come first. */
export const listWaiting = async (
  db: Queryable,
  importId: string,
  state: WaitingState,
  limit: number,
): Promise<WaitingRow[]> => {
  const { rows } = await db.query<WaitingRow>({
    name: 'list-waiting-import-rows',
    text: `SELECT position, attempts, octet_length(link::text) AS bytes FROM import_rows
           WHERE import_id = $1 AND state = $2 AND state IN ('waiting', 'ready') ORDER BY attempts, position LIMIT $3`,
    values: [importId, state, limit],
  });
  return rows;
};

/** To be committed before the rows are worked on. @param by 1, or -1 for an attempt that does not count */
export const countAttempt = async (
  db: Queryable,
  importId: string,
  state: WaitingState,
  positions: readonly number[],
  by: 1 | -1,
): Promise<void> => {
  await db.query({
    name: 'count-import-attempt',
    text: `UPDATE import_rows SET attempts = greatest(attempts + $4, 0)
           WHERE import_id = $1 AND state = $2 AND position = ANY($3::integer[])`,
    values: [importId, state, positions, by],
  });
};

/** Those of the rows that are in the state. */
export const readRows = async (
  db: Queryable,
  importId: string,
  state: WaitingState,
  positions: readonly number[],
): Promise<ImportRow[]> => {
  const { rows } = await db.query<ImportRow>({
    name: 'read-import-rows',
    text: `SELECT position, link FROM import_rows
           WHERE import_id = $1 AND state = $2 AND position = ANY($3::integer[]) ORDER BY position`,
    values: [importId, state, positions],
  });
  return rows;
};

/** @param done with {@link RowResult} as their results */
export const storeResults = async (
  tx: Transaction,
  importId: string,
  done: readonly DoneRow[],
): Promise<void> => {
  await tx.query({
    name: 'store-import-results',
    text: `UPDATE import_rows r SET state = n.result ->> 'status', reason = n.result ->> 'reason', result = n.result, attempts = 0
           FROM json_to_recordset($2::json) AS n (position integer, result json)
           WHERE r.import_id = $1 AND r.position = n.position`,
    values: [importId, JSON.stringify(done, storable)],
  });
};

export interface StoredRow extends ImportRow {
  state: ImportRowState;
  result: RowResult | null;
}

export interface RowFilters {
  state?: ImportRowState | undefined;
  reason?: ImportReason | undefined;
}

/** @param after the position of the last row before the page */
export const listRows = async (
  db: Queryable,
  importId: string,
  { state, reason }: RowFilters,
  after: number,
  limit: number,
): Promise<StoredRow[]> => {
  const { rows } = await db.query<StoredRow>({
    name: 'list-import-rows',
    text: `SELECT position, link, state, result FROM import_rows
           WHERE import_id = $1 AND position > $2 AND state = coalesce($3, state)
             AND ($4::text IS NULL OR reason = $4) ORDER BY position LIMIT $5`,
    values: [importId, after, state ?? null, reason ?? null, limit],
  });
  return rows;
};
