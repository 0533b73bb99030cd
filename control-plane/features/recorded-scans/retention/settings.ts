/** What a workspace has set about its scans. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export interface ScanSettings {
  /** For how many days single scans are kept; null: as long as the server keeps them. */
  scanRetentionDays: number | null;
}

export const readScanSettings = async (db: Queryable, workspaceId: string): Promise<ScanSettings> => {
  const { rows } = await db.query<ScanSettings>({
    name: 'read-scan-settings',
    text: 'SELECT retention_days AS "scanRetentionDays" FROM scan_settings WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0] ?? { scanRetentionDays: null };
};

export const changeScanSettings = async (
  tx: Transaction,
  workspaceId: string,
  { scanRetentionDays }: Partial<ScanSettings>,
): Promise<ScanSettings> => {
  if (scanRetentionDays === undefined) return readScanSettings(tx, workspaceId);
  const { rows } = await tx.query<ScanSettings>({
    name: 'change-scan-settings',
    text: `INSERT INTO scan_settings (workspace_id, retention_days) VALUES ($1, $2)
           ON CONFLICT (workspace_id) DO UPDATE SET retention_days = excluded.retention_days
           RETURNING retention_days AS "scanRetentionDays"`,
    values: [workspaceId, scanRetentionDays],
  });
  return rows[0]!;
};

/** For how many days workspaces keep single scans. */
export const keptDaysOf = async (
  db: Queryable,
  workspaceIds: readonly string[],
  serverDays: number,
): Promise<Map<string, number>> => {
  const { rows } = await db.query<{ id: string; days: number | null }>({
    name: 'kept-days-of-workspaces',
    text: `SELECT id, retention_days AS days FROM workspaces LEFT JOIN scan_settings ON workspace_id = id WHERE id = ANY($1)`,
    values: [workspaceIds],
  });
  return new Map(rows.map(({ id, days }) => [id, Math.min(days ?? serverDays, serverDays)]));
};

/** Workspaces that keep single scans for less time than the server, a page at a time. @param after the last one's id */
export const workspacesWithRetention = async (
  db: Queryable,
  serverDays: number,
  after: string,
  limit: number,
): Promise<{ workspaceId: string; days: number }[]> => {
  const { rows } = await db.query<{ workspaceId: string; days: number }>({
    name: 'workspaces-with-scan-retention',
    text: `SELECT workspace_id AS "workspaceId", retention_days AS days FROM scan_settings
           WHERE retention_days < $1 AND workspace_id > $2 ORDER BY workspace_id LIMIT $3`,
    values: [serverDays, after, limit],
  });
  return rows;
};
