/** PostgreSQL queries of the zips, and of the search for leftovers. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { BulkOperation } from '../engine/kind.ts';
import { operations } from '../engine/store/operations.ts';
import type { StoredPicture } from './pictures.ts';
import type { Kept } from './room.ts';

/** A finished row: with a picture, or with a failure. */
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

/** The bytes of an operation's pictures so far. */
export const sumPictureBytes = async (db: Queryable, bulkId: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'sum-bulk-picture-bytes',
    text: `SELECT coalesce(sum((result ->> 'bytes')::integer), 0)::double precision AS bytes FROM bulk_rows
           WHERE bulk_id = $1 AND result IS NOT NULL`,
    values: [bulkId],
  });
  return rows[0]!.bytes;
};

/** The files kept for a workspace. */
export const readKept = async (db: Queryable, workspaceId: string): Promise<Kept> => {
  const { rows } = await db.query<{ bytes: number; freeAt: Date | null }>({
    name: 'read-kept-bulk-files',
    text: `SELECT coalesce(sum(kept_bytes), 0)::double precision AS bytes, min(completed_at) + interval '1 day' AS "freeAt"
           FROM ${operations} WHERE workspace_id = $1 AND kept_bytes > 0`,
    values: [workspaceId],
  });
  const { bytes, freeAt } = rows[0]!;
  return { bytes, freeAt: freeAt ?? undefined };
};

/** Until the transaction ends, no other pictures of the workspace are counted. */
export const lockKept = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-kept-bulk-files',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('kept bulk files ' || $1, 0))`,
    values: [workspaceId],
  });
};

/** @param bytes kept for the operation from now on, in addition to its others */
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

/** Call it when the files are removed. */
export const forgetKept = async (db: Queryable, { id, workspaceId }: BulkOperation): Promise<void> => {
  await db.query({
    name: 'forget-kept-bulk-files',
    text: 'UPDATE bulk_operations SET kept_bytes = 0 WHERE id = $1 AND workspace_id = $2',
    values: [id, workspaceId],
  });
};

/** The operations among these that have files in the storage: unfinished, or with a zip. */
export const listWithFiles = async (db: Queryable, bulkIds: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-bulk-operations-with-files',
    text: `SELECT id FROM bulk_operations WHERE id = ANY($1::text[]) AND removed_at IS NULL`,
    values: [bulkIds],
  });
  return rows.map(({ id }) => id);
};
