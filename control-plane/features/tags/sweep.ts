/**
 * Takes tags that were merged or deleted off the codes that hold their ids, in slices: readers already see them as merged
 * or deleted, so nothing waits for it, and no code is locked for longer than a slice.
 */
import type { Queryable } from '../../platform/db/pool.ts';

/** Codes looked at by one statement, and locked at most. */
const sliceMax = 1_000;

interface Gone {
  workspaceId: string;
  ids: number[];
}

const findGone = async (db: Queryable): Promise<Gone[]> => {
  const { rows } = await db.query<Gone>({
    name: 'find-gone-tags',
    text: `SELECT workspace_id AS "workspaceId", array_agg(id) AS ids FROM tags
           WHERE gone_at IS NOT NULL AND swept_at IS NULL GROUP BY workspace_id`,
  });
  return rows;
};

/** @returns the place of the last code looked at; undefined after the last slice */
const sweepSlice = async (
  db: Queryable,
  { workspaceId, ids }: Gone,
  afterSeq: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ lastSeq: string | null }>({
    name: 'sweep-gone-tags',
    // Locked in the order of their ids, as changes of many codes lock them.
    text: `WITH slice AS MATERIALIZED (
             SELECT id, seq, tag_ids FROM codes WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $4
           ), held AS MATERIALIZED (
             SELECT id FROM codes WHERE id IN (SELECT id FROM slice WHERE tag_ids && $3::integer[])
             ORDER BY id FOR NO KEY UPDATE
           ), swept AS (
             UPDATE codes SET tag_ids = ARRAY(
               SELECT DISTINCT live.id FROM unnest(codes.tag_ids) AS had JOIN tags AS own ON own.id = had
               JOIN tags AS live ON live.id = coalesce(own.merged_into, own.id) AND live.gone_at IS NULL
               ORDER BY live.id
             ) FROM held WHERE codes.id = held.id
           )
           SELECT max(seq) AS "lastSeq" FROM slice`,
    values: [workspaceId, afterSeq, ids, sliceMax],
  });
  return rows[0]?.lastSeq ?? undefined;
};

/** A row that was merged stays for as long as the tag that it became: the history of codes has its id. */
const removeTags = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query({
    name: 'keep-merged-tags',
    text: 'UPDATE tags SET swept_at = now() WHERE id = ANY ($1) AND merged_into IS NOT NULL',
    values: [ids],
  });
  await db.query({
    name: 'remove-gone-tags',
    text: `WITH deleted AS (SELECT id FROM tags WHERE id = ANY ($1) AND gone_at IS NOT NULL AND merged_into IS NULL)
           DELETE FROM tags WHERE id IN (SELECT id FROM deleted) OR merged_into IN (SELECT id FROM deleted)`,
    values: [ids],
  });
};

export const sweepTags = async (db: Queryable): Promise<void> => {
  for (const gone of await findGone(db)) {
    let seq: string | undefined = '0';
    while (seq !== undefined) seq = await sweepSlice(db, gone, seq);
    await removeTags(db, gone.ids);
  }
};
