/**
 * Deletes single scans of workspaces that keep them for less time than the server does. The sums of days and quarters stay. Each
 * statement is for many workspaces, since ClickHouse walks through a table's parts for each; it deletes later, in the background.
 */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { dayMs } from '../../codes/analytics/calendar.ts';
import { literals } from '../sql.ts';
import { workspacesWithRetention } from './settings.ts';

const workspacesAtOnce = 500;
/** Conversions repeat what single scans say. */
const tables = ['scans', 'scan_log', 'conversions'] as const;

type Kept = Awaited<ReturnType<typeof workspacesWithRetention>>;

/** SQL: the scans that these workspaces keep no longer. */
const expired = (kept: Kept, now: Date): string => {
  const ids = literals(kept.map(({ workspaceId }) => workspaceId));
  const fromSeconds = kept.map(({ days }) => Math.floor((now.getTime() - days * dayMs) / 1000));
  return `workspace_id IN (${ids})
    AND toUnixTimestamp(toDateTime(ts)) < transform(toString(workspace_id), [${ids}], [${fromSeconds.join(', ')}], 0)`;
};

export interface RetentionParts {
  pool: Pool;
  clickhouse: ClickHouseClient;
  /** How long the server keeps single scans. */
  serverDays: number;
  logger: Logger;
}

/** @throws if a database does not answer: the queue tries again */
export const deleteExpiredScans = async (
  { pool, clickhouse, serverDays, logger }: RetentionParts,
  now: Date,
): Promise<void> => {
  let after = '';
  for (;;) {
    const kept = await workspacesWithRetention(pool, serverDays, after, workspacesAtOnce);
    if (kept.length === 0) return;
    for (const table of tables) {
      const where = expired(kept, now);
      const found = await clickhouse.query({
        query: `SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`,
        format: 'JSONEachRow',
      });
      if ((await found.json()).length === 0) continue;
      await clickhouse.command({
        query: `DELETE FROM ${table} WHERE ${where}`,
        clickhouse_settings: { lightweight_deletes_sync: '0' },
      });
      logger.info({ table, workspaces: kept.length }, 'deleting scans that their workspaces keep no longer');
    }
    after = kept.at(-1)!.workspaceId;
  }
};

export const retentionTask = (parts: RetentionParts): Task => ({
  task: 'delete-expired-scans',
  schedule: '20 3 * * *',
  run: () => deleteExpiredScans(parts, new Date()),
});
