/** The parts of codes that their pictures need. */
import type { Sources } from '#schemas/api/routing.ts';
import type { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { findOwned, refusalOf } from '../../platform/db/owned.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { ownedCodes } from '../codes/store/find.ts';
import type { PicturedCode, ReadStyle } from '../pictures/pictures.ts';

export interface SourcedCode extends PicturedCode {
  sources: Sources | null;
}

/** Pixels; null if the style has none. */
export interface SavedSides {
  width: number | null;
  height: number | null;
}

const columns =
  'id, workspace_id AS "workspaceId", version::integer AS version, sources, link_base AS "linkBase"';

/** Finds a code in any workspace: a link signed by this plane is the permission. */
export const findCodeOfLink = async (db: Queryable, id: string): Promise<SourcedCode | undefined> => {
  if (!isCodeIdShaped(id)) return undefined;
  const { rows } = await db.query<SourcedCode>({
    name: 'find-code-of-link',
    text: `SELECT ${columns} FROM codes WHERE id = $1`,
    values: [id],
  });
  return rows[0];
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the code is another workspace's */
export const findPicturedCode = (db: Queryable, workspaceId: string, id: string): Promise<SourcedCode> =>
  findOwned(db, ownedCodes, workspaceId, id, {
    name: 'find-pictured-code',
    text: `SELECT ${columns} FROM codes WHERE id = $1 AND workspace_id = $2`,
  });

/** A row of a code; for another workspace's code only its id. */
type FoundCode = SourcedCode | { id: string; workspaceId: null };

/**
 * Finds many codes with one statement.
 * @param ids any texts
 * @returns a function from an id to the code, or to NOT_FOUND, or to FORBIDDEN if the code is another workspace's
 */
export const findPicturedCodes = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<(id: string) => SourcedCode | ClientError> => {
  const { rows } = await db.query<FoundCode>({
    name: 'find-pictured-codes',
    text: `SELECT asked.id, own."workspaceId", own.version, own.sources, own."linkBase" FROM codes AS asked
           LEFT JOIN (SELECT ${columns} FROM codes WHERE id = ANY($1) AND workspace_id = $2) AS own ON own.id = asked.id
           WHERE asked.id = ANY($1)`,
    values: [ids.filter(isCodeIdShaped), workspaceId],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id) => {
    const code = found.get(id);
    return code && code.workspaceId !== null ? code : refusalOf(ownedCodes, id, code !== undefined);
  };
};

/** The sides in saved styles, by the ids of their codes, except codes of other workspaces. */
export const findSavedSides = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, SavedSides>> => {
  const { rows } = await db.query<SavedSides & { id: string }>({
    name: 'find-saved-sides',
    text: `SELECT id, (style ->> 'width')::integer AS width, (style ->> 'height')::integer AS height FROM codes
           WHERE id = ANY($1) AND workspace_id = $2 AND style IS NOT NULL`,
    values: [ids.filter(isCodeIdShaped), workspaceId],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

/** Including the logo. */
export const readStyle = async (db: Queryable, { id, workspaceId }: PicturedCode): Promise<ReadStyle> => {
  const { rows } = await db.query<ReadStyle>({
    name: 'read-style',
    text: 'SELECT version::integer AS version, style FROM codes WHERE id = $1 AND workspace_id = $2',
    values: [id, workspaceId],
  });
  return rows[0] ?? { version: 0, style: null };
};
