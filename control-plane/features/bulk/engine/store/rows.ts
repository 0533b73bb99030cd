/** The rows of bulk operations in PostgreSQL. */
import { type DoneRow, storable, type WaitingRow } from '../../../../jobs/row-ends.ts';
import { bodyOfRow, insertsOf, type NewRow as NewBody, valuesOf } from '../../../../jobs/row-inserts.ts';
import type { Queryable } from '../../../../platform/db/pool.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';

/** Its body is sealed. */
export interface NewRow extends NewBody {
  uid: string;
}

export const insertRows = async (tx: Transaction, bulkId: string, rows: readonly NewRow[]): Promise<void> => {
  for (const some of insertsOf(rows))
    await tx.query({
      name: 'insert-bulk-rows',
      text: `INSERT INTO bulk_rows (bulk_id, position, uid, body)
             SELECT $1, position, uid, ${bodyOfRow}
             FROM unnest($3::integer[], $4::integer[], $5::text[]) AS n (position, bytes, uid)`,
      values: [bulkId, ...valuesOf(some), some.map(({ uid }) => uid)],
    });
};

/** The rows that were begun least often come first. */
export const listWaiting = async (db: Queryable, bulkId: string, limit: number): Promise<WaitingRow[]> => {
  const { rows } = await db.query<WaitingRow>({
    name: 'list-waiting-bulk-rows',
    text: `SELECT position, attempts, octet_length(body) AS bytes FROM bulk_rows
           WHERE bulk_id = $1 AND result IS NULL ORDER BY attempts, position LIMIT $2`,
    values: [bulkId, limit],
  });
  return rows;
};

/** To be committed before the rows are worked on, so that the attempt counts even if the process ends with it. */
export const countAttempt = async (
  db: Queryable,
  bulkId: string,
  positions: readonly number[],
): Promise<void> => {
  await db.query({
    name: 'count-bulk-attempt',
    text: `UPDATE bulk_rows SET attempts = attempts + 1
           WHERE bulk_id = $1 AND position = ANY($2::integer[]) AND result IS NULL`,
    values: [bulkId, positions],
  });
};

/** Takes back an attempt that was counted. Waits for a transaction that is just ending. */
export const forgiveAttempt = async (
  db: Queryable,
  bulkId: string,
  positions: readonly number[],
): Promise<void> => {
  await db.query({
    name: 'forgive-bulk-attempt',
    text: `UPDATE bulk_rows SET attempts = attempts - 1 WHERE bulk_id = $1 AND attempts > 0
             AND position = ANY($2::integer[]) AND result IS NULL`,
    values: [bulkId, positions],
  });
};

export interface SealedRow {
  position: number;
  uid: string;
  sealed: Buffer;
}

/** Those of the rows that wait. */
export const readRows = async (
  db: Queryable,
  bulkId: string,
  positions: readonly number[],
): Promise<SealedRow[]> => {
  const { rows } = await db.query<SealedRow>({
    name: 'read-bulk-rows',
    text: `SELECT position, uid, body AS sealed FROM bulk_rows
           WHERE bulk_id = $1 AND position = ANY($2::integer[]) AND result IS NULL ORDER BY position`,
    values: [bulkId, positions],
  });
  return rows;
};

export const storeResults = async (
  tx: Transaction,
  bulkId: string,
  done: readonly DoneRow[],
): Promise<void> => {
  await tx.query({
    name: 'store-bulk-results',
    text: `UPDATE bulk_rows r SET result = n.result, body = NULL
           FROM json_to_recordset($2::json) AS n (position integer, result json)
           WHERE r.bulk_id = $1 AND r.position = n.position`,
    values: [bulkId, JSON.stringify(done, storable)],
  });
};
