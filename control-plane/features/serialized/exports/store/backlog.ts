/** Exports that are not finished, of all workspaces. */

import type { SerializedJobType } from '#schemas/api/serialized.ts';
import type { Queryable } from '../../../../db/pool.ts';
import type { WorkspaceTurns } from '../../../../jobs/workspace-turns.ts';

/** Figures for metrics. */
export interface ExportBacklog {
  exports: number;
  /** Pictures that are not drawn. */
  pictures: number;
  /** Since the oldest one was accepted. */
  oldestSeconds: number;
}

export const readExportBacklog = async (db: Queryable, type: SerializedJobType): Promise<ExportBacklog> => {
  const { rows } = await db.query<ExportBacklog>({
    name: 'read-serialized-export-backlog',
    text: `SELECT count(*)::integer AS exports, coalesce(sum(count - items_written), 0)::integer AS pictures,
             coalesce(extract(epoch FROM now() - min(created_at)), 0)::double precision AS "oldestSeconds"
           FROM serialized_jobs WHERE type = $1 AND status IN ('pending', 'processing')`,
    values: [type],
  });
  return rows[0]!;
};

/** Exports of a workspace that are not finished. */
export const countUnfinished = async (
  db: Queryable,
  workspaceId: string,
  type: SerializedJobType,
): Promise<number> => {
  const { rows } = await db.query<{ exports: number }>({
    name: 'count-unfinished-serialized-exports',
    text: `SELECT count(*)::integer AS exports FROM serialized_jobs
           WHERE workspace_id = $1 AND type = $2 AND status IN ('pending', 'processing')`,
    values: [workspaceId, type],
  });
  return rows[0]!.exports;
};

/** Workspaces with an export that has made no progress for some time, and none that is being worked on. */
export const listStalledExports = async (
  db: Queryable,
  idleSeconds: number,
  type: SerializedJobType,
  turns: Pick<WorkspaceTurns, 'lockedWorkspaces' | 'task'>,
): Promise<string[]> => {
  const { rows } = await db.query<{ workspaceId: string }>({
    // A statement for each kind of turns.
    name: `list-stalled-${turns.task}`,
    text: `SELECT DISTINCT workspace_id AS "workspaceId" FROM serialized_jobs
           WHERE type = $2 AND status IN ('pending', 'processing') AND updated_at <= now() - make_interval(secs => $1)
             AND hashtext(workspace_id)::oid NOT IN (${turns.lockedWorkspaces})`,
    values: [idleSeconds, type],
  });
  return rows.map(({ workspaceId }) => workspaceId);
};
