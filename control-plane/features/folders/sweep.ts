/** Takes deleted folders off their codes, in slices: readers already see the codes in no folder, so nothing waits for it. */
import type { Queryable } from '../../platform/db/pool.ts';

/** Codes locked by one statement. */
const sliceMax = 500;

interface Deleted {
  id: string;
  workspaceId: string;
}

/** @returns the place of the last code of the slice; undefined after the last slice */
const sweepSlice = async (
  db: Queryable,
  { id, workspaceId }: Deleted,
  afterSeq: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ lastSeq: string | null }>({
    name: 'sweep-folder',
    // Locked in the order of their ids, as changes of many codes lock them.
    text: `WITH slice AS MATERIALIZED (
             SELECT id, seq FROM codes WHERE workspace_id = $1 AND folder_id = $2 AND seq > $3 ORDER BY seq LIMIT $4
           ), held AS MATERIALIZED (
             SELECT id FROM codes WHERE id IN (SELECT id FROM slice) AND folder_id = $2 ORDER BY id FOR NO KEY UPDATE
           ), swept AS (
             UPDATE codes SET folder_id = NULL FROM held WHERE codes.id = held.id
           )
           SELECT max(seq) AS "lastSeq" FROM slice`,
    values: [workspaceId, id, afterSeq, sliceMax],
  });
  return rows[0]?.lastSeq ?? undefined;
};

export const sweepFolders = async (db: Queryable): Promise<void> => {
  const { rows } = await db.query<Deleted>({
    name: 'list-deleted-folders',
    text: 'SELECT id, workspace_id AS "workspaceId" FROM folders WHERE deleted_at IS NOT NULL',
  });
  for (const folder of rows) {
    let seq: string | undefined = '0';
    while (seq !== undefined) seq = await sweepSlice(db, folder, seq);
    await db.query({
      name: 'remove-folder',
      text: 'DELETE FROM folders WHERE id = $1 AND deleted_at IS NOT NULL',
      values: [folder.id],
    });
  }
};
