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
    text: `SELECT workspace_id AS "workspaceId", array_agg(id) AS ids FROM tags WHERE gone_at IS NOT NULL
           GROUP BY workspace_id`,
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

/** Rows that others point to stay for the next time. */
const removeTags = (db: Queryable, ids: readonly number[]) =>
  db.query({
    name: 'remove-gone-tags',
    text: `DELETE FROM tags WHERE id = ANY($1) AND gone_at IS NOT NULL
             AND NOT EXISTS (SELECT FROM tags AS other WHERE other.merged_into = tags.id AND other.id <> ALL($1))`,
    values: [ids],
  });

export const sweepTags = async (db: Queryable): Promise<void> => {
  for (const gone of await findGone(db)) {
    let seq: string | undefined = '0';
    while (seq !== undefined) seq = await sweepSlice(db, gone, seq);
    await removeTags(db, gone.ids);
  }
};
