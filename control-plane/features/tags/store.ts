/**
 * Tags in PostgreSQL. Codes hold their ids, so that renaming, merging or deleting a tag writes its row, however many codes
 * have it. What is gone is taken off the codes later, see sweep.ts.
 */
import { isTagShaped, tagKey, tagsMax } from '#schemas/api/tags.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';

interface TagId {
  id: number;
  key: string;
}

/** Those of the keys that are tags of the workspace. */
const findTags = async (db: Queryable, workspaceId: string, keys: readonly string[]): Promise<TagId[]> => {
  const { rows } = await db.query<TagId>({
    name: 'find-tags',
    text: 'SELECT id, key FROM tags WHERE workspace_id = $1 AND key = ANY($2) AND gone_at IS NULL',
    values: [workspaceId, keys],
  });
  return rows;
};

/** Concurrent calls may exceed the limit by a few. @throws {ClientError} UNPROCESSABLE */
const requireRoom = async (db: Queryable, workspaceId: string, added: number): Promise<void> => {
  const { rows } = await db.query<{ tags: number }>({
    name: 'count-tags',
    text: 'SELECT count(*)::integer AS tags FROM tags WHERE workspace_id = $1 AND gone_at IS NULL',
    values: [workspaceId],
  });
  if (rows[0]!.tags + added > tagsMax)
    throw new ClientError(
      'UNPROCESSABLE',
      `tags would be more than the ${tagsMax} that a workspace may have; delete some first`,
    );
};

/** In the order of their keys, so that two transactions cannot deadlock. */
const makeTags = async (db: Queryable, workspaceId: string, names: readonly string[]): Promise<void> => {
  await db.query({
    name: 'make-tags',
    text: `INSERT INTO tags (workspace_id, name, key)
           SELECT $1, name, key FROM unnest($2::text[], $3::text[]) AS given (name, key) ORDER BY key
           ON CONFLICT (workspace_id, key) WHERE gone_at IS NULL DO NOTHING`,
    values: [workspaceId, names, names.map(tagKey)],
  });
};

/** As PostgreSQL writes an array of integers, in ascending order. */
const arrayOf = (tags: readonly TagId[]): string =>
  `{${tags
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(',')}}`;

/**
 * The ids of tags, each made if it does not exist.
 * @param names distinct, also in lower case
 * @param dryRun true: of the tags that exist
 * @returns `{1,2}`
 * @throws {ClientError} UNPROCESSABLE naming tags, if the workspace would have too many
 */
export const tagIdsOf = async (
  pool: Pool,
  workspaceId: string,
  names: readonly string[],
  dryRun: boolean,
): Promise<string> => {
  if (names.length === 0) return '{}';
  const keys = names.map(tagKey);
  const found = await findTags(pool, workspaceId, keys);
  if (found.length === names.length) return arrayOf(found);
  const known = new Set(found.map(({ key }) => key));
  const missing = names.filter((name) => !known.has(tagKey(name)));
  await requireRoom(pool, workspaceId, missing.length);
  if (dryRun) return arrayOf(found);
  await makeTags(pool, workspaceId, missing);
  return arrayOf(await findTags(pool, workspaceId, keys));
};

/** @returns for each key all ids under which codes may hold that tag; none for a key that is no tag */
export const findTagIds = async (
  db: Queryable,
  workspaceId: string,
  keys: readonly string[],
): Promise<number[][]> => {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{ ids: number[] }>({
    name: 'find-tag-ids',
    text: `SELECT ARRAY(
             SELECT own.id FROM tags AS live JOIN tags AS own ON own.id = live.id OR own.merged_into = live.id
             WHERE live.workspace_id = $1 AND live.key = asked.key AND live.gone_at IS NULL
           ) AS ids FROM unnest($2::text[]) WITH ORDINALITY AS asked (key, place) ORDER BY place`,
    values: [workspaceId, keys],
  });
  return rows.map(({ ids }) => ids);
};

export interface CountedTag {
  name: string;
  key: string;
  codes: number;
  createdAt: Date;
}

/** SQL. The codes that have a tag, without archived ones. */
const codesOf = (id: string): string => `(
  SELECT coalesce(sum(f.codes), 0)::integer FROM tags AS own
  JOIN code_facets AS f ON f.workspace_id = own.workspace_id AND f.facet = 'tag' AND f.value = own.id::text AND NOT f.archived
  WHERE own.id = ${id} OR own.merged_into = ${id})`;

/** In the order of their keys. */
export const listTags = async (
  db: Queryable,
  workspaceId: string,
  afterKey: string,
  limit: number,
): Promise<CountedTag[]> => {
  const { rows } = await db.query<CountedTag>({
    name: 'list-tags',
    text: `SELECT name, key, ${codesOf('tags.id')} AS codes, created_at AS "createdAt" FROM tags
           WHERE workspace_id = $1 AND key > $2 AND gone_at IS NULL ORDER BY key LIMIT $3`,
    values: [workspaceId, afterKey, limit],
  });
  return rows;
};

/** @throws {ClientError} NOT_FOUND for what cannot be a tag: PostgreSQL refuses some of it as text */
const keyOf = (name: string): string => {
  if (!isTagShaped(name)) throw unknown(name);
  return tagKey(name);
};

const unknown = (name: string): ClientError =>
  new ClientError('NOT_FOUND', `There is no tag ${quoted(name)} in this workspace`);

/** In the order of their ids, so that two renames cannot deadlock. */
const lockTags = async (tx: Transaction, workspaceId: string, keys: readonly string[]): Promise<TagId[]> => {
  const { rows } = await tx.query<TagId>({
    name: 'lock-tags',
    text: `SELECT id, key FROM tags WHERE workspace_id = $1 AND key = ANY($2) AND gone_at IS NULL ORDER BY id FOR UPDATE`,
    values: [workspaceId, keys],
  });
  return rows;
};

const mergeTags = async (tx: Transaction, from: number, into: number): Promise<void> => {
  await tx.query('UPDATE tags SET gone_at = now(), merged_into = $2 WHERE id = $1', [from, into]);
  await tx.query('UPDATE tags SET merged_into = $2 WHERE merged_into = $1', [from, into]);
};

/**
 * Renames a tag. If another one has the name, both become one.
 * @returns whether they were merged
 * @throws {ClientError} NOT_FOUND
 */
export const renameTag = (pool: Pool, workspaceId: string, from: string, to: string): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    const [fromKey, toKey] = [keyOf(from), tagKey(to)];
    const locked = await lockTags(tx, workspaceId, [fromKey, toKey]);
    const tag = locked.find(({ key }) => key === fromKey);
    if (!tag) throw unknown(from);
    const other = locked.find(({ id, key }) => key === toKey && id !== tag.id);
    if (other) await mergeTags(tx, tag.id, other.id);
    else await tx.query('UPDATE tags SET name = $2, key = $3 WHERE id = $1', [tag.id, to, toKey]);
    return other !== undefined;
  });

/** @throws {ClientError} NOT_FOUND */
export const deleteTag = (pool: Pool, workspaceId: string, name: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query({
      name: 'delete-tag',
      text: 'UPDATE tags SET gone_at = now() WHERE workspace_id = $1 AND key = $2 AND gone_at IS NULL',
      values: [workspaceId, keyOf(name)],
    });
    if (rowCount === 0) throw unknown(name);
  });

/** @throws {ClientError} NOT_FOUND */
export const readTag = async (db: Queryable, workspaceId: string, name: string): Promise<CountedTag> => {
  const { rows } = await db.query<CountedTag>({
    name: 'read-tag',
    text: `SELECT name, key, ${codesOf('tags.id')} AS codes, created_at AS "createdAt" FROM tags
           WHERE workspace_id = $1 AND key = $2 AND gone_at IS NULL`,
    values: [workspaceId, tagKey(name)],
  });
  return rows[0] ?? Promise.reject(unknown(name));
};
