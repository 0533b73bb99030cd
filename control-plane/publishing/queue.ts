/**
 * The queue of publishing, in PostgreSQL: things whose newest version may not have reached Redis. A change adds a row in its own
 * transaction. The rows that are set aside are the dead letters.
 *
 *   waiting ──published──▶ published ──a minute later, confirmed──▶ removed
 *      │  ▲─────────────── Redis was away, or had lost it ──┘
 *      └──cannot be published──▶ set aside ──an operator asks for it, or the thing changes──▶ waiting
 */
import type { Queryable } from '../platform/db/pool.ts';
import type { Transaction } from '../platform/db/transaction.ts';

export interface Unpublished {
  /** The name of its kind. */
  kind: string;
  id: string;
  /** As PostgreSQL has it. */
  version: number;
}

export interface Due extends Unpublished {
  state: 'waiting' | 'published';
}

/** The publish right after the commit has this long. Then the sweep publishes. */
const sweepAfterSeconds = 2;
/** A sweep has a claimed row to itself for this long. Then the row is due again, behind rows that have waited longer. */
const claimSeconds = 5;
/** A Redis that takes over may be this far behind the one before it. */
const keptSeconds = 60;

/** Parallel lists for `unnest`. */
const columnsOf = (some: readonly Unpublished[]) => [
  some.map(({ kind }) => kind),
  some.map(({ id }) => id),
  some.map(({ version }) => version),
];

/** Remembers versions that are to be published; of several of one thing the latest. */
export const addUnpublished = async (tx: Transaction, changed: readonly Unpublished[]): Promise<void> => {
  await tx.query({
    name: 'add-unpublished',
    text: `INSERT INTO unpublished (kind, id, version, due_at)
           SELECT kind, id, max(version), now() + make_interval(secs => $4)
           FROM unnest($1::text[], $2::text[], $3::bigint[]) AS changed (kind, id, version)
           GROUP BY kind, id ORDER BY kind COLLATE "C", id COLLATE "C"
           ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at,
             due_at = excluded.due_at, state = 'waiting', problem = NULL`,
    values: [...columnsOf(changed), sweepAfterSeconds],
  });
};

/** Takes due rows of a kind: the longest due first, and rows that others have claimed last. */
export const claimDue = async (db: Queryable, kind: string, limit: number): Promise<Due[]> => {
  const { rows } = await db.query<Due>({
    name: 'claim-due',
    text: `WITH due AS (
             SELECT id FROM unpublished
             WHERE kind = $1 AND state <> 'set_aside' AND due_at <= now()
             ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
           )
           UPDATE unpublished AS u SET due_at = now() + make_interval(secs => $3)
           FROM due WHERE u.kind = $1 AND u.id = due.id
           RETURNING u.kind, u.id, u.version::double precision AS version, u.state`,
    values: [kind, limit, claimSeconds],
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
             SELECT u.kind, u.id
             FROM unpublished u JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS p (kind, id, version)
               ON p.kind = u.kind AND p.id = u.id AND p.version >= u.version
             WHERE u.state = 'waiting'
             FOR UPDATE OF u SKIP LOCKED
           )
           UPDATE unpublished AS u SET state = 'published', due_at = now() + make_interval(secs => $4)
           FROM found, unsynced WHERE u.kind = found.kind AND u.id = found.id`,
    values: [...columnsOf(published), keptSeconds],
  });
};

/** Removes versions that Redis still holds a minute after they were published. */
export const removeConfirmed = async (db: Queryable, confirmed: readonly Unpublished[]): Promise<void> => {
  await db.query({
    name: 'remove-confirmed',
    text: `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
           removable AS (
             SELECT u.kind, u.id
             FROM unpublished u JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS p (kind, id, version)
               ON p.kind = u.kind AND p.id = u.id AND p.version >= u.version
             WHERE u.state = 'published'
             FOR UPDATE OF u SKIP LOCKED
           )
           DELETE FROM unpublished AS u USING removable, unsynced
           WHERE u.kind = removable.kind AND u.id = removable.id`,
    values: columnsOf(confirmed),
  });
};

/** Sets a row aside that cannot be published, whatever Redis does. @param problem for the operator */
export const setAside = async (
  db: Queryable,
  { kind, id, version }: Unpublished,
  problem: string,
): Promise<void> => {
  await db.query(
    `UPDATE unpublished SET state = 'set_aside', problem = $4 WHERE kind = $1 AND id = $2 AND version <= $3`,
    [kind, id, version, problem],
  );
};

/** Has everything of a kind of the last minute published again: Redis may have lost what it acknowledged. */
export const publishAgain = async (db: Queryable, kind: string): Promise<void> => {
  await db.query(
    `UPDATE unpublished SET state = 'waiting', due_at = now() WHERE kind = $1 AND state <> 'set_aside'`,
    [kind],
  );
};

/** Has the rows that are set aside published again, of all kinds. @returns their ids */
export const retrySetAside = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE unpublished SET state = 'waiting', problem = NULL, due_at = now()
     WHERE state = 'set_aside' RETURNING id`,
  );
  return rows.map(({ id }) => id);
};

/** Rows in each state. */
export interface UnpublishedCounts {
  waiting: number;
  published: number;
  setAside: number;
}

/** Counts the rows of all kinds. */
export const countUnpublished = async (db: Queryable): Promise<UnpublishedCounts> => {
  const { rows } = await db.query<UnpublishedCounts>({
    name: 'count-unpublished',
    text: `SELECT count(*) FILTER (WHERE state = 'waiting')::integer AS waiting,
                  count(*) FILTER (WHERE state = 'published')::integer AS published,
                  count(*) FILTER (WHERE state = 'set_aside')::integer AS "setAside"
           FROM unpublished`,
  });
  return rows[0]!;
};
