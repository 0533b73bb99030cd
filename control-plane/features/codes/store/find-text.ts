/** Finds codes by a text in their destination. */
import { seekOwned } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { WholeCode } from './code.ts';
import { codeColumns, presentDestination } from './columns.ts';
import { ownedCodes } from './find.ts';

/** A text, and the place in the order of creation after which to search; '0' is before all codes. */
export interface TextSearch {
  text: string;
  afterSeq: string;
}

/** The workspace's url codes that hold the text, except encrypted ones: their destination does not contain it. */
const holding = `FROM codes WHERE workspace_id = $1 AND data_type = 'url' AND encryption IS NULL
  AND strpos(${presentDestination}, $2) > 0 AND seq > $3`;

/** The first matches, oldest first. */
export const findCodesWithText = async (
  db: Queryable,
  workspaceId: string,
  { text, afterSeq }: TextSearch,
  limit: number,
): Promise<Pick<WholeCode, 'id' | 'seq'>[]> => {
  const { rows } = await db.query<Pick<WholeCode, 'id' | 'seq'>>({
    name: 'find-codes-with-text',
    text: `SELECT id, seq ${holding} ORDER BY seq LIMIT $4`,
    values: [workspaceId, text, afterSeq, limit],
  });
  return rows;
};

/** Some codes of the workspace without their styles, oldest first. */
export const readUnstyled = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<WholeCode[]> => {
  const { rows } = await db.query<WholeCode>({
    name: 'read-unstyled-codes',
    text: `SELECT ${codeColumns}, data, NULL AS style FROM codes
           WHERE workspace_id = $1 AND id = ANY($2::text[]) ORDER BY seq`,
    values: [workspaceId, ids],
  });
  return rows;
};

/** The number of matches. */
export const countCodesWithText = async (
  db: Queryable,
  workspaceId: string,
  { text, afterSeq }: TextSearch,
): Promise<number> => {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-codes-with-text',
    text: `SELECT count(*)::integer AS total ${holding}`,
    values: [workspaceId, text, afterSeq],
  });
  return rows[0]!.total;
};

/** The place of a code in the order of creation; undefined if it is not the workspace's. */
export const findSeq = async (
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<string | undefined> => {
  const found = await seekOwned<{ seq: string }>(db, ownedCodes, workspaceId, id, {
    name: 'find-seq',
    text: 'SELECT seq FROM codes WHERE id = $1 AND workspace_id = $2',
  });
  return found?.seq;
};

/** The destinations of codes, without their schedules. */
export const findDestinations = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; destination: string }[]> => {
  const { rows } = await db.query<{ id: string; destination: string }>({
    name: 'find-destinations',
    text: `SELECT id, ${presentDestination} AS destination FROM codes
           WHERE workspace_id = $1 AND id = ANY($2) AND encryption IS NULL`,
    values: [workspaceId, ids],
  });
  return rows;
};
