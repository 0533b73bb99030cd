/**
 * The queue of publishing, in PostgreSQL: codes whose newest version may not have reached Redis. A change adds a row in its own
 * transaction, see outbox/outbox.ts. The rows that are set aside are the dead letters.
 *
 *   waiting ──published──▶ published ──a minute later, confirmed──▶ removed
 *      │  ▲─────────────── Redis was away, or had lost it ──┘
 *      └──cannot be published──▶ set aside ──an operator asks for it, or the code changes──▶ waiting
 */
import type { Queryable } from '../../../db/pool.ts';
import type { Transaction } from '../../../db/transaction.ts';

export interface Unpublished {
  id: string;
  version: number;
}

export interface Due extends Unpublished {
  state: 'waiting' | 'published';
}

/** The publish right after the commit has this long, before the sweep does it. */
const sweepAfterSeconds = 2;
/** A sweep has a row that it has claimed to itself for this long. Then the row is due again, behind those that have waited longer. */
const claimSeconds = 5;
/** For as long as a Redis may be behind the one that it takes over from. */
const keptSeconds = 60;

/** Remembers versions that are to be published; of several of one code the latest. */
export const addUnpublished = async (tx: Transaction, changed: readonly Unpublished[]): Promise<void> => {
  await tx.query({
    name: 'add-unpublished',
    text: `INSERT INTO unpublished_codes (code_id, version, due_at)
           SELECT code_id, max(version), now() + make_interval(secs => $3)
           FROM unnest($1::text[], $2::bigint[]) AS changed (code_id, version)
           GROUP BY code_id ORDER BY code_id
           ON CONFLICT (code_id) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at,
             due_at = excluded.due_at, state = 'waiting', problem = NULL`,
    values: [changed.map(({ id }) => id), changed.map(({ version }) => version), sweepAfterSeconds],
  });
};

/** Takes rows that are due, those first that have been due the longest, and rows that others have claimed last of all. */
export const claimDue = async (db: Queryable, limit: number): Promise<Due[]> => {
  const { rows } = await db.query<Due>({
    name: 'claim-due',
    text: `WITH due AS (
             SELECT code_id FROM unpublished_codes
             WHERE state <> 'set_aside' AND due_at <= now()
             ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
           )
           UPDATE unpublished_codes AS u SET due_at = now() + make_interval(secs => $2)
           FROM due WHERE u.code_id = due.code_id
           RETURNING u.code_id AS id, u.version::double precision AS version, u.state`,
    values: [limit, claimSeconds],
  });
  return rows;
};

/**
 * Versions that are published now. A row that a transaction is changing is passed over: it is about a later version. The
 * commit does not wait for the disk, here and in {@link removeConfirmed}: a lost one costs one needless publish.
 */
export const markPublished = async (db: Queryable, published: readonly Unpublished[]): Promise<void> => {
  await db.query({
    name: 'mark-published',
    text: `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
           found AS (
             SELECT u.code_id
             FROM unpublished_codes u JOIN unnest($1::text[], $2::bigint[]) AS p (code_id, version)
               ON p.code_id = u.code_id AND p.version >= u.version
             WHERE u.state = 'waiting'
             FOR UPDATE OF u SKIP LOCKED
           )
           UPDATE unpublished_codes AS u SET state = 'published', due_at = now() + make_interval(secs => $3)
           FROM found, unsynced WHERE u.code_id = found.code_id`,
    values: [published.map(({ id }) => id), published.map(({ version }) => version), keptSeconds],
  });
};

/** Removes versions that Redis still holds a minute after they were published. */
export const removeConfirmed = async (db: Queryable, confirmed: readonly Unpublished[]): Promise<void> => {
  await db.query({
    name: 'remove-confirmed',
    text: `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
           removable AS (
             SELECT u.code_id
             FROM unpublished_codes u JOIN unnest($1::text[], $2::bigint[]) AS p (code_id, version)
               ON p.code_id = u.code_id AND p.version >= u.version
             WHERE u.state = 'published'
             FOR UPDATE OF u SKIP LOCKED
           )
           DELETE FROM unpublished_codes USING removable, unsynced
           WHERE unpublished_codes.code_id = removable.code_id`,
    values: [confirmed.map(({ id }) => id), confirmed.map(({ version }) => version)],
  });
};

/** Sets a row aside that cannot be published, whatever Redis does. @param problem for the operator */
export const setAside = async (
  db: Queryable,
  { id, version }: Unpublished,
  problem: string,
): Promise<void> => {
  await db.query(
    `UPDATE unpublished_codes SET state = 'set_aside', problem = $3 WHERE code_id = $1 AND version <= $2`,
    [id, version, problem],
  );
};

/** Has everything of the last minute published again: Redis may have lost records that it acknowledged. */
export const publishAgain = async (db: Queryable): Promise<void> => {
  await db.query(`UPDATE unpublished_codes SET state = 'waiting', due_at = now() WHERE state <> 'set_aside'`);
};

/** Has the rows that are set aside published again. @returns the ids of their codes */
export const retrySetAside = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE unpublished_codes SET state = 'waiting', problem = NULL, due_at = now()
     WHERE state = 'set_aside' RETURNING code_id AS id`,
  );
  return rows.map(({ id }) => id);
};

/** Rows in each state. */
export interface UnpublishedCounts {
  waiting: number;
  published: number;
  setAside: number;
}

export const countUnpublished = async (db: Queryable): Promise<UnpublishedCounts> => {
  const { rows } = await db.query<UnpublishedCounts>({
    name: 'count-unpublished',
    text: `SELECT count(*) FILTER (WHERE state = 'waiting')::integer AS waiting,
                  count(*) FILTER (WHERE state = 'published')::integer AS published,
                  count(*) FILTER (WHERE state = 'set_aside')::integer AS "setAside"
           FROM unpublished_codes`,
  });
  return rows[0]!;
};
