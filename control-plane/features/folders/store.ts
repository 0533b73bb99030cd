/** Folders in PostgreSQL. */
import { foldersMax } from '#schemas/api/folders.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { quoted } from '#shared/quoted.ts';
import { countCapReached } from '../../api/access/plans.ts';
import {
  findOwned,
  isForeign,
  type OwnedTable,
  refusalOfMissing,
  seekOwned,
} from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';

export const folderIds = prefixedIds('fold');

const ownedFolders: OwnedTable = {
  table: 'folders',
  noun: 'folder',
  isIdShaped: (id) => /^fold_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export interface Folder {
  id: string;
  name: string;
  /** In lower case, by which lists are sorted. */
  key: string;
  /** The codes in it, without archived ones. */
  codes: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `id, name, lower(name) AS key, created_at AS "createdAt", updated_at AS "updatedAt", (
    SELECT coalesce(sum(f.codes), 0)::integer FROM code_facets AS f
    WHERE f.workspace_id = folders.workspace_id AND f.facet = 'folder' AND f.value = folders.id AND NOT f.archived
  ) AS codes`;

/**
 * One statement: a concurrent creation waits for the row of the count, and then sees the new count.
 * @throws {ClientError} CONFLICT if the workspace has as many folders as it may have
 */
export const createFolder = async (db: Queryable, workspaceId: string, name: string): Promise<Folder> => {
  const { rows } = await db.query<Folder>({
    name: 'create-folder',
    text: `WITH counted AS (
             INSERT INTO folder_counts AS counts (workspace_id, folders) VALUES ($2, 1)
             ON CONFLICT (workspace_id) DO UPDATE SET folders = counts.folders + 1 WHERE counts.folders < $4
             RETURNING workspace_id
           )
           INSERT INTO folders (id, workspace_id, name) SELECT $1, workspace_id, $3 FROM counted RETURNING ${columns}`,
    values: [folderIds.create(), workspaceId, name, foldersMax],
  });
  if (!rows[0])
    throw countCapReached(
      'folders',
      foldersMax,
      `A workspace has at most ${foldersMax} folders; delete one first`,
    );
  return rows[0];
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the folder is another workspace's */
export const findFolder = (db: Queryable, workspaceId: string, id: string): Promise<Folder> =>
  findOwned(db, ownedFolders, workspaceId, id, {
    name: 'find-folder',
    text: `SELECT ${columns} FROM folders WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL`,
  });

/**
 * For a code that is to be in it.
 * @throws {ClientError} UNPROCESSABLE naming folderId; FORBIDDEN if it is another workspace's
 */
export const requireFolder = async (db: Queryable, workspaceId: string, id: string): Promise<void> => {
  const folder = await seekOwned(db, ownedFolders, workspaceId, id, {
    name: 'seek-folder',
    text: 'SELECT id FROM folders WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL',
  });
  if (folder) return;
  if (await isForeign(db, ownedFolders, workspaceId, id))
    throw new ClientError('FORBIDDEN', `folderId ${quoted(id)} belongs to another workspace`);
  throw new ClientError('UNPROCESSABLE', `folderId ${quoted(id)} is not a folder of this workspace`);
};

/** Where a page ended. */
export interface FolderPlace {
  key: string;
  id: string;
}

/** By name. */
export const listFolders = async (
  db: Queryable,
  workspaceId: string,
  { key, id }: FolderPlace,
  limit: number,
): Promise<Folder[]> => {
  const { rows } = await db.query<Folder>({
    name: 'list-folders',
    text: `SELECT ${columns} FROM folders
           WHERE workspace_id = $1 AND deleted_at IS NULL AND (lower(name) COLLATE "C", id COLLATE "C") > ($2, $3)
           ORDER BY lower(name) COLLATE "C", id COLLATE "C" LIMIT $4`,
    values: [workspaceId, key, id, limit],
  });
  return rows;
};

export const countFolders = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ folders: number }>({
    name: 'count-folders',
    text: 'SELECT folders FROM folder_counts WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0]?.folders ?? 0;
};

/** @throws {ClientError} as {@link findFolder} */
export const renameFolder = (pool: Pool, workspaceId: string, id: string, name: string): Promise<Folder> =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Folder>({
      name: 'rename-folder',
      text: `UPDATE folders SET name = $3, updated_at = CASE WHEN name = $3 THEN updated_at ELSE now() END
             WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL RETURNING ${columns}`,
      values: [id, workspaceId, name],
    });
    if (rows[0]) return rows[0];
    throw await refusalOfMissing(tx, ownedFolders, workspaceId, id);
  });

/** Its codes are in no folder from then on. @throws {ClientError} as {@link findFolder} */
export const deleteFolder = (pool: Pool, workspaceId: string, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query({
      name: 'delete-folder',
      text: 'UPDATE folders SET deleted_at = now() WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL',
      values: [id, workspaceId],
    });
    if (rowCount === 0) throw await refusalOfMissing(tx, ownedFolders, workspaceId, id);
    await tx.query('UPDATE folder_counts SET folders = folders - 1 WHERE workspace_id = $1', [workspaceId]);
  });

/** The folders that are deleted, and that codes may still name. */
export const findDeletedFolders = async (db: Queryable, workspaceId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-deleted-folders',
    text: 'SELECT id FROM folders WHERE workspace_id = $1 AND deleted_at IS NOT NULL',
    values: [workspaceId],
  });
  return rows.map(({ id }) => id);
};

/** Whether it is a folder of the workspace. */
export const isFolder = async (db: Queryable, workspaceId: string, id: string): Promise<boolean> =>
  (await seekOwned(db, ownedFolders, workspaceId, id, {
    name: 'seek-folder',
    text: 'SELECT id FROM folders WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL',
  })) !== undefined;
