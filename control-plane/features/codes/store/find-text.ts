/** Codes by a text in their destination. */
import type { Queryable } from '../../../db/pool.ts';
import type { WholeCode } from './code.ts';
import { codeColumns } from './columns.ts';

/** Those of a workspace's url codes that hold the text, encrypted ones left out: their destination is not in it. */
const holding = `FROM codes WHERE workspace_id = $1 AND data_type = 'url' AND encryption IS NULL
  AND strpos(destination, $2) > 0`;

/** The first of them, oldest first, without their styles. */
export const findCodesWithText = async (
  db: Queryable,
  workspaceId: string,
  text: string,
  limit: number,
): Promise<WholeCode[]> => {
  const { rows } = await db.query<WholeCode>({
    name: 'find-codes-with-text',
    text: `SELECT ${codeColumns}, data, NULL AS style ${holding} ORDER BY seq LIMIT $3`,
    values: [workspaceId, text, limit],
  });
  return rows;
};

/** How many they are. */
export const countCodesWithText = async (
  db: Queryable,
  workspaceId: string,
  text: string,
): Promise<number> => {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-codes-with-text',
    text: `SELECT count(*)::integer AS total ${holding}`,
    values: [workspaceId, text],
  });
  return rows[0]!.total;
};
