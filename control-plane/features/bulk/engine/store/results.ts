/** The results of bulk operations in PostgreSQL. */
import type { Pool, Queryable } from '../../../../platform/db/pool.ts';
import { inTransaction } from '../../../../platform/db/transaction.ts';
import type { KindName } from '../kind.ts';
import {
  jobNameOf,
  type OperationRow,
  operationColumns,
  operations,
  type StoredOperation,
  toOperation,
} from './operations.ts';

/** @returns false if another fetch has the claim, or there is no result any more */
export const claimResult = async (
  db: Queryable,
  bulkId: string,
  claimId: string,
  holdSeconds: number,
): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'claim-bulk-result',
    text: `UPDATE bulk_operations SET claim_id = $2, claimed_until = now() + make_interval(secs => $3)
           WHERE id = $1 AND removed_at IS NULL AND (claimed_until IS NULL OR claimed_until < now())
             AND EXISTS (SELECT FROM jobs WHERE jobs.id = $1 AND status = 'completed')`,
    values: [bulkId, claimId, holdSeconds],
  });
  return rowCount === 1;
};

/** One entry for each row, in the order of the call. */
export const readResult = async (db: Queryable, bulkId: string): Promise<object[]> => {
  const { rows } = await db.query<{ uid: string; result: object }>({
    name: 'read-bulk-result',
    text: 'SELECT uid, result FROM bulk_rows WHERE bulk_id = $1 ORDER BY position',
    values: [bulkId],
  });
  return rows.map(({ uid, result }) => ({ uid, ...result }));
};

/** A row that is done. */
export interface DoneEntry {
  position: number;
  uid: string;
  result: object;
}

export interface DoneRows {
  /** The position behind which to begin. */
  after: number;
  status: string | undefined;
  limit: number;
}

/** The next rows that are done, in their order. */
export const readDoneRows = async (
  db: Queryable,
  bulkId: string,
  { after, status, limit }: DoneRows,
): Promise<DoneEntry[]> => {
  const { rows } = await db.query<DoneEntry>({
    name: 'read-done-bulk-rows',
    text: `SELECT position, uid, result FROM bulk_rows
           WHERE bulk_id = $1 AND position > $2 AND result IS NOT NULL AND ($3::text IS NULL OR result ->> 'status' = $3)
           ORDER BY position LIMIT $4`,
    values: [bulkId, after, status ?? null, limit],
  });
  return rows;
};

/** The result can be claimed again. */
export const releaseResult = async (db: Queryable, bulkId: string, claimId: string): Promise<void> => {
  await db.query({
    name: 'release-bulk-result',
    text: `UPDATE bulk_operations SET claim_id = NULL, claimed_until = NULL WHERE id = $1 AND claim_id = $2`,
    values: [bulkId, claimId],
  });
};

/** It was fetched. Where the claim is not held any more, nothing happens. */
export const removeFetched = (pool: Pool, bulkId: string, claimId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query({
      name: 'remove-fetched-bulk-result',
      text: `UPDATE bulk_operations SET claim_id = NULL, claimed_until = NULL, removed_at = now(), removed_because = 'fetched'
             WHERE id = $1 AND claim_id = $2 AND removed_at IS NULL`,
      values: [bulkId, claimId],
    });
    if (rowCount === 1) await removeRows(tx, bulkId);
  });

const removeRows = async (db: Queryable, bulkId: string): Promise<void> => {
  await db.query({
    name: 'remove-bulk-rows',
    text: 'DELETE FROM bulk_rows WHERE bulk_id = $1',
    values: [bulkId],
  });
};

/** Operations in one statement. */
const expiredMax = 100;

/** Finished operations of a kind whose result was not fetched in that time, in the order of their submission. */
export const listExpired = async (
  db: Queryable,
  kind: KindName,
  keptDays: number,
  afterSeq: string,
): Promise<StoredOperation[]> => {
  const { rows } = await db.query<OperationRow>({
    name: 'list-expired-bulk-results',
    text: `SELECT ${operationColumns} FROM ${operations}
           WHERE kind = $1 AND completed_at < now() - make_interval(days => $2) AND removed_at IS NULL
             AND (claimed_until IS NULL OR claimed_until < now()) AND seq > $3
           ORDER BY seq LIMIT ${expiredMax}`,
    values: [jobNameOf(kind), keptDays, afterSeq],
  });
  return rows.map(toOperation);
};

/** It was not fetched, unless a fetch is under way. */
export const removeExpired = (pool: Pool, bulkId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query({
      name: 'remove-expired-bulk-result',
      text: `UPDATE bulk_operations SET removed_at = now(), removed_because = 'expired'
             WHERE id = $1 AND removed_at IS NULL AND (claimed_until IS NULL OR claimed_until < now())`,
      values: [bulkId],
    });
    if (rowCount === 1) await removeRows(tx, bulkId);
  });

/** Operations whose result was removed: from then on their ids are unknown. */
export const forgetOperations = async (db: Queryable, keptDays: number): Promise<void> => {
  await db.query({
    name: 'forget-bulk-operations',
    text: `DELETE FROM jobs WHERE id IN (
             SELECT id FROM ${operations}
             WHERE completed_at < now() - make_interval(days => $1) AND removed_at IS NOT NULL)`,
    values: [keptDays],
  });
};
