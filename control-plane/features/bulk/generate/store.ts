/** What the making of zips, and the search for leftovers, ask of PostgreSQL. */
import type { Queryable } from '../../../db/pool.ts';
import type { StoredPicture } from './pictures.ts';

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

/** Those of some operations that have files in the storage: they are not finished, or their zips are kept. */
export const listWithFiles = async (db: Queryable, bulkIds: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-bulk-operations-with-files',
    text: `SELECT id FROM bulk_operations WHERE id = ANY($1::text[]) AND removed_at IS NULL`,
    values: [bulkIds],
  });
  return rows.map(({ id }) => id);
};
