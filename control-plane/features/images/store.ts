/** Codes as their pictures need them, without the rest. */
import type { Sources } from '#schemas/api/routing.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { findOwned } from '../../db/owned.ts';
import type { Queryable } from '../../db/pool.ts';
import { ownedCodes } from '../codes/store/find.ts';
import type { PicturedCode, ReadStyle } from './pictures.ts';

export interface SourcedCode extends PicturedCode {
  sources: Sources | null;
}

const columns = 'id, workspace_id AS "workspaceId", version::integer AS version, sources';

/** Finds a code in any workspace: the link that this plane has signed is the permission. */
export const findCodeOfLink = async (db: Queryable, id: string): Promise<SourcedCode | undefined> => {
  if (!isCodeIdShaped(id)) return undefined;
  const { rows } = await db.query<SourcedCode>({
    name: 'find-code-of-link',
    text: `SELECT ${columns} FROM codes WHERE id = $1`,
    values: [id],
  });
  return rows[0];
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN where the code is another workspace's */
export const findPicturedCode = (db: Queryable, workspaceId: string, id: string): Promise<SourcedCode> =>
  findOwned(db, ownedCodes, workspaceId, id, {
    name: 'find-pictured-code',
    text: `SELECT ${columns} FROM codes WHERE id = $1 AND workspace_id = $2`,
  });

/** Logo included. */
export const readStyle = async (db: Queryable, { id, workspaceId }: PicturedCode): Promise<ReadStyle> => {
  const { rows } = await db.query<ReadStyle>({
    name: 'read-style',
    text: 'SELECT version::integer AS version, style FROM codes WHERE id = $1 AND workspace_id = $2',
    values: [id, workspaceId],
  });
  return rows[0] ?? { version: 0, style: null };
};
