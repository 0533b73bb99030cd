/** Exports in PostgreSQL, beside their jobs. */
import type { Pool, Queryable } from '../../../../platform/db/pool.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';
import { inTransaction } from '../../../../platform/db/transaction.ts';

export const insertExport = async (
  tx: Transaction,
  jobId: string,
  workspaceId: string,
  request: object,
): Promise<void> => {
  await tx.query({
    name: 'insert-serialized-export',
    text: 'INSERT INTO serialized_exports (job_id, workspace_id, request) VALUES ($1, $2, $3)',
    values: [jobId, workspaceId, JSON.stringify(request)],
  });
};

/** What an export was asked for. @returns undefined if its files are removed */
export const findRequest = async <Request>(db: Queryable, jobId: string): Promise<Request | undefined> => {
  const { rows } = await db.query<{ request: Request }>({
    name: 'find-serialized-export',
    text: 'SELECT request FROM serialized_exports WHERE job_id = $1 AND removed_at IS NULL',
    values: [jobId],
  });
  return rows[0]?.request;
};

/** Bytes of exports that are kept for a workspace. */
export const sumKept = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'sum-kept-serialized-exports',
    text: `SELECT coalesce(sum(kept_bytes), 0)::double precision AS bytes FROM serialized_exports
           WHERE workspace_id = $1 AND removed_at IS NULL`,
    values: [workspaceId],
  });
  return rows[0]!.bytes;
};

/** No other bytes of the workspace are counted before the end of the transaction. */
export const lockKept = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-kept-serialized-exports',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('kept serialized exports ' || $1, 0))`,
    values: [workspaceId],
  });
};

/** @param bytes that are kept from now on, beside the others */
export const addKept = async (tx: Transaction, jobId: string, bytes: number): Promise<void> => {
  await tx.query({
    name: 'add-kept-serialized-export',
    text: 'UPDATE serialized_exports SET kept_bytes = kept_bytes + $2 WHERE job_id = $1',
    values: [jobId, bytes],
  });
};

export const setListBytes = async (tx: Transaction, jobId: string, bytes: number): Promise<void> => {
  await tx.query({
    name: 'set-serialized-export-list',
    text: 'UPDATE serialized_exports SET list_bytes = $2, kept_bytes = kept_bytes + $2 WHERE job_id = $1',
    values: [jobId, bytes],
  });
};

/** Its files are removed: it has no result any more, and no look. */
export const markRemoved = (pool: Pool, jobId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await tx.query({
      name: 'mark-serialized-export-removed',
      text: `UPDATE serialized_exports SET request = NULL, kept_bytes = 0, removed_at = coalesce(removed_at, now())
             WHERE job_id = $1`,
      values: [jobId],
    });
    await tx.query({
      name: 'remove-serialized-export-parts',
      text: 'DELETE FROM serialized_export_parts WHERE job_id = $1',
      values: [jobId],
    });
  });

/** Exports whose files are there and that have failed, were cancelled, or whose time is over. */
export const listRemovable = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-removable-serialized-exports',
    text: `SELECT id FROM serialized_exports e JOIN jobs j ON j.id = e.job_id
           WHERE e.removed_at IS NULL AND (j.status = 'failed' OR j.result_until <= now()) ORDER BY j.seq`,
  });
  return rows.map(({ id }) => id);
};

/** Those of some exports that have files in the storage. */
export const listWithFiles = async (db: Queryable, jobIds: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-serialized-exports-with-files',
    text: 'SELECT job_id AS id FROM serialized_exports WHERE job_id = ANY($1::text[]) AND removed_at IS NULL',
    values: [jobIds],
  });
  return rows.map(({ id }) => id);
};
