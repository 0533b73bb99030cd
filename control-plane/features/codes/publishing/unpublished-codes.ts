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

/** Where a queue is: other things than codes have queues of their own, with the same columns. */
export interface QueueTable {
  readonly table: string;
  /** The column of the ids. */
  readonly column: string;
  /** How messages call one. */
  readonly noun: string;
}

export const codeQueue: QueueTable = { table: 'unpublished_codes', column: 'code_id', noun: 'code' };

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
export const addUnpublished = async (
  tx: Transaction,
  changed: readonly Unpublished[],
  { table, column }: QueueTable = codeQueue,
): Promise<void> => {
  await tx.query({
    name: `add-unpublished-${table}`,
    text: `INSERT INTO ${table} (${column}, version, due_at)
           SELECT ${column}, max(version), now() + make_interval(secs => $3)
           FROM unnest($1::text[], $2::bigint[]) AS changed (${column}, version)
           GROUP BY ${column} ORDER BY ${column}
           ON CONFLICT (${column}) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at,
             due_at = excluded.due_at, state = 'waiting', problem = NULL`,
    values: [changed.map(({ id }) => id), changed.map(({ version }) => version), sweepAfterSeconds],
  });
};

/** Takes rows that are due, those first that have been due the longest, and rows that others have claimed last of all. */
export const claimDue = async (
  db: Queryable,
  limit: number,
  { table, column }: QueueTable = codeQueue,
): Promise<Due[]> => {
  const { rows } = await db.query<Due>({
    name: `claim-due-${table}`,
    text: `WITH due AS (
             SELECT ${column} FROM ${table}
             WHERE state <> 'set_aside' AND due_at <= now()
             ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
           )
           UPDATE ${table} AS u SET due_at = now() + make_interval(secs => $2)
           FROM due WHERE u.${column} = due.${column}
           RETURNING u.${column} AS id, u.version::double precision AS version, u.state`,
    values: [limit, claimSeconds],
  });
  return rows;
};

/**
 * Versions that are published now. A row that a transaction is changing is passed over: it is about a later version. The
 * commit does not wait for the disk, here and in {@link removeConfirmed}: a lost one costs one needless publish.
 */
export const markPublished = async (
  db: Queryable,
  published: readonly Unpublished[],
  { table, column }: QueueTable = codeQueue,
): Promise<void> => {
  await db.query({
    name: `mark-published-${table}`,
    text: `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
           found AS (
             SELECT u.${column}
             FROM ${table} u JOIN unnest($1::text[], $2::bigint[]) AS p (${column}, version)
               ON p.${column} = u.${column} AND p.version >= u.version
             WHERE u.state = 'waiting'
             FOR UPDATE OF u SKIP LOCKED
           )
           UPDATE ${table} AS u SET state = 'published', due_at = now() + make_interval(secs => $3)
           FROM found, unsynced WHERE u.${column} = found.${column}`,
    values: [published.map(({ id }) => id), published.map(({ version }) => version), keptSeconds],
  });
};

/** Removes versions that Redis still holds a minute after they were published. */
export const removeConfirmed = async (
  db: Queryable,
  confirmed: readonly Unpublished[],
  { table, column }: QueueTable = codeQueue,
): Promise<void> => {
  await db.query({
    name: `remove-confirmed-${table}`,
    text: `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
           removable AS (
             SELECT u.${column}
             FROM ${table} u JOIN unnest($1::text[], $2::bigint[]) AS p (${column}, version)
               ON p.${column} = u.${column} AND p.version >= u.version
             WHERE u.state = 'published'
             FOR UPDATE OF u SKIP LOCKED
           )
           DELETE FROM ${table} USING removable, unsynced
           WHERE ${table}.${column} = removable.${column}`,
    values: [confirmed.map(({ id }) => id), confirmed.map(({ version }) => version)],
  });
};

/** Sets a row aside that cannot be published, whatever Redis does. @param problem for the operator */
export const setAside = async (
  db: Queryable,
  { id, version }: Unpublished,
  problem: string,
  { table, column }: QueueTable = codeQueue,
): Promise<void> => {
  await db.query(
    `UPDATE ${table} SET state = 'set_aside', problem = $3 WHERE ${column} = $1 AND version <= $2`,
    [id, version, problem],
  );
};

/** Has everything of the last minute published again: Redis may have lost records that it acknowledged. */
export const publishAgain = async (db: Queryable, { table }: QueueTable = codeQueue): Promise<void> => {
  await db.query(`UPDATE ${table} SET state = 'waiting', due_at = now() WHERE state <> 'set_aside'`);
};

/** Has the rows that are set aside published again. @returns the ids of their codes */
export const retrySetAside = async (
  db: Queryable,
  { table, column }: QueueTable = codeQueue,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE ${table} SET state = 'waiting', problem = NULL, due_at = now()
     WHERE state = 'set_aside' RETURNING ${column} AS id`,
  );
  return rows.map(({ id }) => id);
};

/** Rows in each state. */
export interface UnpublishedCounts {
  waiting: number;
  published: number;
  setAside: number;
}

export const countUnpublished = async (
  db: Queryable,
  { table }: QueueTable = codeQueue,
): Promise<UnpublishedCounts> => {
  const { rows } = await db.query<UnpublishedCounts>({
    name: `count-unpublished-${table}`,
    text: `SELECT count(*) FILTER (WHERE state = 'waiting')::integer AS waiting,
                  count(*) FILTER (WHERE state = 'published')::integer AS published,
                  count(*) FILTER (WHERE state = 'set_aside')::integer AS "setAside"
           FROM ${table}`,
  });
  return rows[0]!;
};
