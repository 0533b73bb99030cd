/** What pictures need of codes, without what they seldom need. */
import type { Sources } from '#schemas/api/routing.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Queryable } from '../../db/pool.ts';
import { quoted } from '../../http/given.ts';
import type { PicturedCode, ReadStyle } from './pictures.ts';

export interface SourcedCode extends PicturedCode {
  sources: Sources | null;
}

/** Of whatever workspace. */
export const findPicturedCode = async (db: Queryable, id: string): Promise<SourcedCode | undefined> => {
  if (!isCodeIdShaped(id)) return undefined;
  const { rows } = await db.query<SourcedCode>({
    name: 'find-pictured-code',
    text: `SELECT id, workspace_id AS "workspaceId", version::integer AS version, sources
           FROM codes WHERE id = $1`,
    values: [id],
  });
  return rows[0];
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN where the code is another workspace's */
export const findOwnPicturedCode = async (
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<SourcedCode> => {
  const code = await findPicturedCode(db, id);
  if (!code) throw new ClientError('NOT_FOUND', `There is no code with the id ${quoted(id)}`);
  if (code.workspaceId !== workspaceId)
    throw new ClientError('FORBIDDEN', `The code with the id ${quoted(id)} belongs to another workspace`);
  return code;
};

/** Logo included. */
export const readStyle = async (db: Queryable, id: string): Promise<ReadStyle> => {
  const { rows } = await db.query<ReadStyle>({
    name: 'read-style',
    text: 'SELECT version::integer AS version, style FROM codes WHERE id = $1',
    values: [id],
  });
  return rows[0] ?? { version: 0, style: null };
};
