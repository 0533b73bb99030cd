/** The parts of exports in PostgreSQL. */
import type { Queryable } from '../../../../platform/db/pool.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';

export interface StoredPart {
  /** Of its first item, from 1. */
  firstPosition: number;
  items: number;
  /** In the storage. */
  key: string;
  /** Of the pictures, without the table after them. */
  pictureBytes: number;
}

export const insertPart = async (tx: Transaction, jobId: string, part: StoredPart): Promise<void> => {
  await tx.query({
    name: 'insert-serialized-export-part',
    text: `INSERT INTO serialized_export_parts (job_id, first_position, items, key, picture_bytes) VALUES ($1, $2, $3, $4, $5)`,
    values: [jobId, part.firstPosition, part.items, part.key, part.pictureBytes],
  });
};

/** In the order of their items. */
export const listParts = async (db: Queryable, jobId: string): Promise<StoredPart[]> => {
  const { rows } = await db.query<StoredPart>({
    name: 'list-serialized-export-parts',
    text: `SELECT first_position AS "firstPosition", items, key, picture_bytes::double precision AS "pictureBytes"
           FROM serialized_export_parts WHERE job_id = $1 ORDER BY first_position`,
    values: [jobId],
  });
  return rows;
};

/** What its parts have is in another file: they are not kept any more. One statement, since the export may be removed meanwhile. */
export const dropParts = async (db: Queryable, jobId: string): Promise<void> => {
  await db.query({
    name: 'drop-serialized-export-parts',
    text: `WITH dropped AS (DELETE FROM serialized_export_parts WHERE job_id = $1 RETURNING picture_bytes)
           UPDATE serialized_exports SET kept_bytes = kept_bytes - (SELECT coalesce(sum(picture_bytes), 0) FROM dropped)
           WHERE job_id = $1`,
    values: [jobId],
  });
};
