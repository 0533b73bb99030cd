/**
 * Removes the counters of hosts, tags, folders and domains that no code has any more. Each change of a destination leaves one
 * behind, and a count by host reads them all. The slots of a value are locked together: they can be other than zero, and zero in
 * sum.
 */
import type { Task } from '../../../jobs/tasks.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

/** Values of one statement. */
const valuesMax = 10_000;

/** @returns how many counters were removed */
export const forgetFacets = async (db: Queryable): Promise<number> => {
  let removed = 0;
  for (;;) {
    const { rowCount } = await db.query({
      name: 'forget-facets',
      text: `WITH empty AS (
          SELECT workspace_id, facet, value, archived FROM code_facets
          GROUP BY 1, 2, 3, 4 HAVING sum(codes) = 0 LIMIT ${valuesMax}
        ), locked AS MATERIALIZED (
          SELECT f.workspace_id, f.facet, f.value, f.archived, f.slot, f.codes
          FROM code_facets f JOIN empty USING (workspace_id, facet, value, archived)
          ORDER BY 1, 2, 3, 4, 5 FOR UPDATE OF f
        ), gone AS (
          SELECT workspace_id, facet, value, archived FROM locked GROUP BY 1, 2, 3, 4 HAVING sum(codes) = 0
        )
        DELETE FROM code_facets f USING gone g WHERE f.workspace_id = g.workspace_id AND f.facet = g.facet
          AND f.value = g.value AND f.archived = g.archived`,
      values: [],
    });
    removed += rowCount ?? 0;
    if (!rowCount) return removed;
  }
};

/** Every night. */
export const forgetFacetsTask = (db: Queryable): Task => ({
  task: 'forget-code-facets',
  schedule: '35 3 * * *',
  run: async () => void (await forgetFacets(db)),
});
