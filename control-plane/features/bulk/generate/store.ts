/** What the making of zips, and the search for leftovers, ask of PostgreSQL. */
import type { Queryable } from '../../../db/pool.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { BulkOperation } from '../engine/kind.ts';
import type { StoredPicture } from './pictures.ts';
import type { Kept } from './room.ts';

/** A row that is done: with a picture, or with a failure. */
export interface FinishedRow {
  uid: string;
  result: ({ status: 'created' } & StoredPicture) | { status: 'failed'; message: string; code: string };
}

/** All rows of an operation, in the order of the call. */
export const listFinished = async (db: Queryable, bulkId: string): Promise<FinishedRow[]> => {
  const { rows } = await db.query<FinishedRow>({
    name: 'list-finished-bulk-rows',
    text: 'SELECT uid, result FROM bulk_rows WHERE bulk_id = $1 ORDER BY position',
    values: [bulkId],
  });
  return rows;
};

/** The bytes of all pictures that an operation has so far. */
export const sumPictureBytes = async (db: Queryable, bulkId: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'sum-bulk-picture-bytes',
    text: `SELECT coalesce(sum((result ->> 'bytes')::integer), 0)::double precision AS bytes FROM bulk_rows
           WHERE bulk_id = $1 AND result IS NOT NULL`,
    values: [bulkId],
  });
  return rows[0]!.bytes;
};

/** What is kept for a workspace. */
export const readKept = async (db: Queryable, workspaceId: string): Promise<Kept> => {
  const { rows } = await db.query<{ bytes: number; freeAt: Date | null }>({
    name: 'read-kept-bulk-files',
    text: `SELECT coalesce(sum(kept_bytes), 0)::double precision AS bytes, min(completed_at) + interval '1 day' AS "freeAt"
           FROM bulk_operations WHERE workspace_id = $1 AND kept_bytes > 0`,
    values: [workspaceId],
  });
  const { bytes, freeAt } = rows[0]!;
  return { bytes, freeAt: freeAt ?? undefined };
};

/** No other pictures of the workspace are counted before the end of the transaction. */
export const lockKept = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-kept-bulk-files',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('kept bulk files ' || $1, 0))`,
    values: [workspaceId],
  });
};

/** @param bytes that are kept for the operation from now on, beside those that are */
export const addKept = async (
  tx: Transaction,
  { id, workspaceId }: BulkOperation,
  bytes: number,
): Promise<void> => {
  await tx.query({
    name: 'add-kept-bulk-files',
    text: 'UPDATE bulk_operations SET kept_bytes = kept_bytes + $3 WHERE id = $1 AND workspace_id = $2',
    values: [id, workspaceId, bytes],
  });
};

/** Its files are removed. */
export const forgetKept = async (db: Queryable, { id, workspaceId }: BulkOperation): Promise<void> => {
  await db.query({
    name: 'forget-kept-bulk-files',
    text: 'UPDATE bulk_operations SET kept_bytes = 0 WHERE id = $1 AND workspace_id = $2',
    values: [id, workspaceId],
  });
};

/** Those of some operations that have files in the storage: they are not finished, or their zips are kept. */
export const listWithFiles = async (db: Queryable, bulkIds: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-bulk-operations-with-files',
    text: `SELECT id FROM bulk_operations WHERE id = ANY($1::text[]) AND removed_at IS NULL`,
    values: [bulkIds],
  });
  return rows.map(({ id }) => id);
};
