/** Mints that are not finished, of all workspaces. */
import type { Queryable } from '../../../db/pool.ts';
import { mintTurns } from '../mint/turns.ts';

/** Figures for metrics. */
export interface MintBacklog {
  batches: number;
  /** That are not written. */
  items: number;
  /** Since the oldest one was accepted. */
  oldestSeconds: number;
}

export const readMintBacklog = async (db: Queryable): Promise<MintBacklog> => {
  const { rows } = await db.query<MintBacklog>({
    name: 'read-mint-backlog',
    text: `SELECT count(*)::integer AS batches, coalesce(sum(count - items_written), 0)::integer AS items,
             coalesce(extract(epoch FROM now() - min(created_at)), 0)::double precision AS "oldestSeconds"
           FROM serialized_jobs WHERE type = 'mint' AND status IN ('pending', 'processing')`,
  });
  return rows[0]!;
};

/** Workspaces with a mint that has made no progress for some time, and none that is being worked on. */
export const listStalledMints = async (db: Queryable, idleSeconds: number): Promise<string[]> => {
  const { rows } = await db.query<{ workspaceId: string }>({
    name: 'list-stalled-mints',
    text: `SELECT DISTINCT workspace_id AS "workspaceId" FROM serialized_jobs
           WHERE type = 'mint' AND status IN ('pending', 'processing') AND updated_at <= now() - make_interval(secs => $1)
             AND hashtext(workspace_id)::oid NOT IN (${mintTurns.lockedWorkspaces})`,
    values: [idleSeconds],
  });
  return rows.map(({ workspaceId }) => workspaceId);
};
