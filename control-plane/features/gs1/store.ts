/** Entries in PostgreSQL. */
import { DatabaseError } from 'pg';
import { gs1EntriesPerKeyMax, gs1KeyBytesMax } from '#schemas/api/gs1.ts';
import type { Gs1Link } from '#schemas/documents.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { countCapReached } from '../../api/access/plans.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import { findOwned, type OwnedTable } from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { EntryPath } from './entry-path.ts';
import { changeKey, takeKey } from './keys.ts';

export const entryIds = prefixedIds('gs1');

const ownedEntries: OwnedTable = {
  table: 'gs1_entries',
  noun: 'GS1 entry',
  isIdShaped: (id) => /^gs1_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export interface StoredEntry extends EntryPath {
  id: string;
  workspaceId: string;
  /** Grows with each entry. */
  seq: string;
  itemDescription: string;
  links: Gs1Link[];
  createdAt: Date;
  updatedAt: Date;
}

export interface EntryContent extends EntryPath {
  itemDescription: string;
  links: readonly Gs1Link[];
}

/** An entry, and the ids of the documents that changed with it. */
export interface ChangedEntry {
  entry: StoredEntry;
  documents: string[];
}

const columns = `id, workspace_id AS "workspaceId", seq::text AS seq, key, path, item_description AS "itemDescription", links,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const uniqueViolation = '23505';

/** @throws {ClientError} CONFLICT instead of the database's refusal of a second entry at a path */
const onlyOneAt = async <Result>(path: string, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== uniqueViolation) throw error;
    throw new ClientError('CONFLICT', `path: there is an entry at ${path} already; change that one`);
  }
};

/**
 * A redirector's data of a key is limited.
 * @throws {ClientError} CONFLICT, or UNPROCESSABLE for links that are too long
 */
const checkBounds = async (tx: Transaction, key: string): Promise<void> => {
  const { rows } = await tx.query<{ entries: number; bytes: number }>({
    name: 'measure-gs1-key',
    text: `SELECT count(*)::integer AS entries,
             coalesce(sum(octet_length(links::text) + octet_length(item_description) + octet_length(path)), 0)::integer AS bytes
           FROM gs1_entries WHERE key = $1`,
    values: [key],
  });
  const { entries, bytes } = rows[0]!;
  if (entries > gs1EntriesPerKeyMax)
    throw countCapReached(
      'gs1EntriesOfKey',
      gs1EntriesPerKeyMax,
      `path: the GS1 key ${key} has at most ${gs1EntriesPerKeyMax} entries; delete one first`,
    );
  if (bytes > gs1KeyBytesMax)
    throw new ClientError(
      'UNPROCESSABLE',
      `links: the entries of the GS1 key ${key} have at most ${gs1KeyBytesMax} bytes together; with these they have ${bytes}`,
    );
};

/** @throws {ClientError} CONFLICT if the key is another workspace's, is full, or has an entry at the path */
export const createEntry = async (
  tx: Transaction,
  workspaceId: string,
  { path, key, itemDescription, links }: EntryContent,
): Promise<ChangedEntry> => {
  await takeKey(tx, workspaceId, key, 'path');
  const { rows } = await onlyOneAt(path, () =>
    tx.query<StoredEntry>({
      name: 'create-gs1-entry',
      text: `INSERT INTO gs1_entries (id, workspace_id, key, path, item_description, links)
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
      values: [entryIds.create(), workspaceId, key, path, itemDescription, JSON.stringify(links)],
    }),
  );
  noteSubject({ resourceId: rows[0]!.id });
  await checkBounds(tx, key);
  return { entry: rows[0]!, documents: [await changeKey(tx, key, { entries: 1 })] };
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the entry is another workspace's */
export const findEntry = (db: Queryable, workspaceId: string, id: string): Promise<StoredEntry> =>
  findOwned(db, ownedEntries, workspaceId, id, {
    name: 'find-gs1-entry',
    text: `SELECT ${columns} FROM gs1_entries WHERE id = $1 AND workspace_id = $2`,
  });

/** Locks an entry until the transaction ends. @throws {ClientError} as {@link findEntry} */
const lockEntry = (tx: Transaction, workspaceId: string, id: string): Promise<StoredEntry> =>
  findOwned(tx, ownedEntries, workspaceId, id, {
    name: 'lock-gs1-entry',
    text: `SELECT ${columns} FROM gs1_entries WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`,
  });

/** Replaces the content of an entry. @throws {ClientError} as {@link findEntry} and {@link createEntry} */
export const replaceEntry = (
  pool: Pool,
  workspaceId: string,
  id: string,
  { path, key, itemDescription, links }: EntryContent,
): Promise<ChangedEntry> =>
  inTransaction(pool, async (tx) => {
    const before = await lockEntry(tx, workspaceId, id);
    await takeKey(tx, workspaceId, key, 'path');
    const { rows } = await onlyOneAt(path, () =>
      tx.query<StoredEntry>({
        name: 'replace-gs1-entry',
        text: `UPDATE gs1_entries SET key = $3, path = $4, item_description = $5, links = $6,
                 updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
               WHERE id = $1 AND workspace_id = $2 RETURNING ${columns}`,
        values: [id, workspaceId, key, path, itemDescription, JSON.stringify(links)],
      }),
    );
    await checkBounds(tx, key);
    const hasMoved = key !== before.key;
    const documents = [await changeKey(tx, key, { entries: hasMoved ? 1 : 0 })];
    if (hasMoved) documents.push(await changeKey(tx, before.key, { entries: -1 }));
    return { entry: rows[0]!, documents };
  });

/** @returns the id of the changed document @throws {ClientError} as {@link findEntry} */
export const deleteEntry = (pool: Pool, workspaceId: string, id: string): Promise<string> =>
  inTransaction(pool, async (tx) => {
    const { key } = await lockEntry(tx, workspaceId, id);
    await tx.query({
      name: 'delete-gs1-entry',
      text: 'DELETE FROM gs1_entries WHERE id = $1 AND workspace_id = $2',
      values: [id, workspaceId],
    });
    return changeKey(tx, key, { entries: -1 });
  });

/** An entry in a list, before it is read. */
export interface ListedEntry {
  id: string;
  seq: string;
  /** Of its links. */
  bytes: number;
}

/**
 * A page of a workspace's entries, newest first.
 * @param before the seq of the last entry of the previous page; undefined for the first page
 */
export const listEntries = async (
  db: Queryable,
  workspaceId: string,
  key: string | undefined,
  before: string | undefined,
  limit: number,
): Promise<ListedEntry[]> => {
  const values: unknown[] = [workspaceId, limit];
  const and = (condition: string, value: unknown) =>
    value === undefined ? '' : `AND ${condition} $${values.push(value)}`;
  // Not a named statement: the planner picks the index by the values of the filters.
  const { rows } = await db.query<ListedEntry>(
    `SELECT id, seq::text AS seq, octet_length(links::text) AS bytes FROM gs1_entries
     WHERE workspace_id = $1 ${and('seq <', before)} ${and('key =', key)}
     ORDER BY gs1_entries.seq DESC LIMIT $2`,
    values,
  );
  return rows;
};

/** @returns in the order of the ids; deleted ones are missing */
export const readEntries = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredEntry[]> => {
  const { rows } = await db.query<StoredEntry>({
    name: 'read-gs1-entries',
    text: `SELECT ${columns} FROM gs1_entries WHERE workspace_id = $1 AND id = ANY($2) ORDER BY array_position($2, id)`,
    values: [workspaceId, ids],
  });
  return rows;
};
