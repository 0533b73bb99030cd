/** Codes by a text in their destination. */
import { lookForOwned } from '../../../db/owned.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { WholeCode } from './code.ts';
import { codeColumns } from './columns.ts';
import { ownedCodes } from './find.ts';

/** A text, and the place in the order of creation after which codes are looked at; '0' is before all of them. */
export interface TextSearch {
  text: string;
  afterSeq: string;
}

/** Those of a workspace's url codes that hold the text, encrypted ones left out: their destination is not in it. */
const holding = `FROM codes WHERE workspace_id = $1 AND data_type = 'url' AND encryption IS NULL
  AND strpos(destination, $2) > 0 AND seq > $3`;

/** The first of them, oldest first, without their styles. */
export const findCodesWithText = async (
  db: Queryable,
  workspaceId: string,
  { text, afterSeq }: TextSearch,
  limit: number,
): Promise<WholeCode[]> => {
  const { rows } = await db.query<WholeCode>({
    name: 'find-codes-with-text',
    text: `SELECT ${codeColumns}, data, NULL AS style ${holding} ORDER BY seq LIMIT $4`,
    values: [workspaceId, text, afterSeq, limit],
  });
  return rows;
};

/** How many they are. */
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

/** The place of a code in the order of creation; undefined where it is none of the workspace's. */
export const findSeq = async (
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<string | undefined> => {
  const found = await lookForOwned<{ seq: string }>(db, ownedCodes, workspaceId, id, {
    name: 'find-seq',
    text: 'SELECT seq FROM codes WHERE id = $1 AND workspace_id = $2',
  });
  return found?.seq;
};
