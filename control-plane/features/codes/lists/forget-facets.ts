/**
 * Removes the counters of hosts, tags, folders and domains that no code has any more. Each change of a destination leaves one
 * behind, and a count by host reads them all. The slots of a value can be other than zero, and zero in sum: any of them whose
 * sum is zero can go together, whatever the others have. So a slot that a change holds is passed over, and no change and this
 * wait for each other.
 */
import type { Task } from '../../../jobs/tasks.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

/** Values of one statement. */
const valuesMax = 10_000;

/** @param workspaceId absent: of all workspaces @returns how many counters were removed */
export const forgetFacets = async (db: Queryable, workspaceId?: string): Promise<number> => {
  const ofWorkspace = workspaceId === undefined ? '' : 'WHERE workspace_id = $1';
  let removed = 0;
  for (;;) {
    const { rowCount } = await db.query({
      name: workspaceId === undefined ? 'forget-facets' : 'forget-facets-of-workspace',
      text: `WITH empty AS (
          SELECT workspace_id, facet, value, archived FROM code_facets ${ofWorkspace}
          GROUP BY 1, 2, 3, 4 HAVING sum(codes) = 0 LIMIT ${valuesMax}
        ), locked AS MATERIALIZED (
          SELECT f.workspace_id, f.facet, f.value, f.archived, f.slot, f.codes
          FROM code_facets f JOIN empty USING (workspace_id, facet, value, archived)
          FOR UPDATE OF f SKIP LOCKED
        ), gone AS (
          SELECT workspace_id, facet, value, archived FROM locked GROUP BY 1, 2, 3, 4 HAVING sum(codes) = 0
        )
        DELETE FROM code_facets f USING locked l JOIN gone USING (workspace_id, facet, value, archived)
        WHERE f.workspace_id = l.workspace_id AND f.facet = l.facet AND f.value = l.value AND f.archived = l.archived
          AND f.slot = l.slot`,
      values: workspaceId === undefined ? [] : [workspaceId],
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
