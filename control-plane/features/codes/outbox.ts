/** Codes whose newest version may not have reached Redis, in PostgreSQL. */
import type { Queryable } from '../../db/pool.ts';
import type { Transaction } from '../../db/transaction.ts';

export interface Unpublished {
  id: string;
  version: number;
}

/** Remembers that a version is to be published. */
export const addUnpublished = async (tx: Transaction, { id, version }: Unpublished): Promise<void> => {
  await tx.query({
    name: 'add-unpublished',
    text: `INSERT INTO unpublished_codes (code_id, version) VALUES ($1, $2)
           ON CONFLICT (code_id) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at`,
    values: [id, version],
  });
};

/** The ids that have waited for at least so long, the longest first. */
export const findUnpublished = async (
  db: Queryable,
  waitingSeconds: number,
  limit: number,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-unpublished',
    text: `SELECT code_id AS id FROM unpublished_codes
           WHERE changed_at <= now() - make_interval(secs => $1) ORDER BY changed_at LIMIT $2`,
    values: [waitingSeconds, limit],
  });
  return rows.map(({ id }) => id);
};

/**
 * Forgets versions that are published. A row that someone is just changing is passed over: it is about a later version.
 * Not waiting for the disk: a removal that is lost costs one needless publish.
 */
export const removeUnpublished = async (db: Queryable, published: readonly Unpublished[]): Promise<void> => {
  await db.query({
    name: 'remove-unpublished',
    text: `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
           removable AS (
             SELECT u.code_id
             FROM unpublished_codes u JOIN unnest($1::text[], $2::bigint[]) AS p (code_id, version)
               ON p.code_id = u.code_id AND p.version >= u.version
             FOR UPDATE OF u SKIP LOCKED
           )
           DELETE FROM unpublished_codes USING removable, unsynced
           WHERE unpublished_codes.code_id = removable.code_id`,
    values: [published.map(({ id }) => id), published.map(({ version }) => version)],
  });
};
