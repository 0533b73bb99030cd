/** The operator's lists in PostgreSQL. A look-up reads the index once for each text, however long the lists are. */
import { ClientError } from '#shared/errors.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Entry } from './entry.ts';

export interface ListedEntry extends Entry {
  list: string;
  reason: string | null;
  addedAt: Date;
}

/** Whether there is anything to look up. */
export interface Kinds {
  texts: boolean;
  hashes: boolean;
  /** Of the longest text, or more. */
  lengthMax: number;
}

/** Hashes come before hosts, which begin with a letter, a digit, a bracket or an underscore. */
export const findKinds = async (db: Queryable): Promise<Kinds> => {
  const { rows } = await db.query<Kinds>({
    name: 'find-kinds-of-blocked-destinations',
    text: `SELECT EXISTS (SELECT FROM blocked_destinations WHERE lookup >= '$') AS texts,
             EXISTS (SELECT FROM blocked_destinations WHERE lookup < '$') AS hashes,
             coalesce((SELECT max(length(lookup)) FROM blocked_destinations), 0) AS "lengthMax"`,
  });
  return rows[0]!;
};

/** More entries with the same beginning are not a list of hashes. */
const foundMax = 10_000;

/**
 * Of too many entries the look-ups are divided: what a limit cuts off would not be blocked.
 * @throws {ClientError} UNAVAILABLE if a single look-up finds too many
 */
export const findEntries = async (db: Queryable, lookups: readonly string[]): Promise<Entry[]> => {
  const { rows } = await db.query<Entry>({
    name: 'find-blocked-destinations',
    text: `SELECT DISTINCT lookup, rest FROM blocked_destinations WHERE lookup = ANY($1) LIMIT ${foundMax}`,
    values: [lookups],
  });
  if (rows.length < foundMax) return rows;
  if (lookups.length === 1)
    throw new ClientError(
      'UNAVAILABLE',
      'The destination cannot be checked: too many blocked hashes begin as its own',
    );
  const half = Math.ceil(lookups.length / 2);
  return [
    ...(await findEntries(db, lookups.slice(0, half))),
    ...(await findEntries(db, lookups.slice(half))),
  ];
};

/** An entry that is in the list already gets the new reason. */
export const writeEntries = async (
  db: Queryable,
  list: string,
  entries: readonly Entry[],
  reason: string | null,
): Promise<void> => {
  const distinct = [...new Map(entries.map((each) => [`${each.lookup} ${each.rest}`, each])).values()];
  await db.query({
    name: 'write-blocked-destinations',
    text: `INSERT INTO blocked_destinations AS present (lookup, rest, list, reason, added_at)
           SELECT lookup, rest, $3, $4, clock_timestamp() FROM unnest($1::text[], $2::text[]) AS given (lookup, rest)
           ON CONFLICT (lookup, rest, list)
           DO UPDATE SET reason = coalesce(excluded.reason, present.reason), added_at = excluded.added_at`,
    values: [distinct.map(({ lookup }) => lookup), distinct.map(({ rest }) => rest), list, reason],
  });
};

/** @param list undefined: from every list @returns how many were removed */
export const removeEntry = async (pool: Pool, entry: Entry, list: string | undefined): Promise<number> => {
  const { rowCount } = await pool.query(
    'DELETE FROM blocked_destinations WHERE lookup = $1 AND rest = $2 AND ($3::text IS NULL OR list = $3)',
    [entry.lookup, entry.rest, list ?? null],
  );
  return rowCount ?? 0;
};

const removedAtOnce = 5_000;

/** Removes what a list had before a time, in short transactions. @returns how many were removed */
export const removeOlder = async (pool: Pool, list: string, before: Date): Promise<number> => {
  for (let removed = 0; ; ) {
    const { rowCount } = await inTransaction(pool, (tx) =>
      tx.query(
        `DELETE FROM blocked_destinations WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM blocked_destinations WHERE list = $1 AND added_at < $2 LIMIT $3))`,
        [list, before, removedAtOnce],
      ),
    );
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < removedAtOnce) return removed;
  }
};

export const clockOf = async (db: Queryable): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]!.now;
};

/** In the order of their texts. @param after the last one that was read */
export const listEntries = async (
  db: Queryable,
  list: string | undefined,
  after: ListedEntry | undefined,
  limit: number,
): Promise<ListedEntry[]> => {
  const { rows } = await db.query<ListedEntry>(
    `SELECT lookup, rest, list, reason, added_at AS "addedAt" FROM blocked_destinations
     WHERE ($1::text IS NULL OR list = $1) AND (lookup, rest, list) > ($2, $3, $4)
     ORDER BY lookup, rest, list LIMIT $5`,
    [list ?? null, after?.lookup ?? '', after?.rest ?? '', after?.list ?? '', limit],
  );
  return rows;
};
