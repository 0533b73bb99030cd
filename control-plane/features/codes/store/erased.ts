/**
 * Erased codes: their ids and versions, for redirectors. The id of one is never another code's; its aliases stay its own, since
 * their rows stay.
 */
import { versionsPerTimeline } from '#schemas/code-record.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export interface ErasedCode {
  id: string;
  workspaceId: string;
  version: number;
  /** The version that redirectors know, on the database's timeline. */
  recordVersion: number;
}

const columns = `code_id AS id, workspace_id AS "workspaceId", version::double precision AS version,
  ((SELECT timeline FROM record_timeline)::bigint * ${versionsPerTimeline} + version)::double precision AS "recordVersion"`;

/** The erased codes among these ids, in any workspace. */
export const findErasedCodes = async (db: Queryable, ids: readonly string[]): Promise<ErasedCode[]> => {
  const { rows } = await db.query<ErasedCode>({
    name: 'find-erased-codes',
    text: `SELECT ${columns} FROM erased_codes WHERE code_id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

/**
 * Removes a code with everything that its row has: its id and its next version are left.
 * @param id of a code that this transaction has locked
 */
export const replaceByErased = async (tx: Transaction, id: string): Promise<ErasedCode> => {
  const { rows } = await tx.query<ErasedCode>({
    name: 'replace-code-by-erased',
    text: `WITH gone AS (DELETE FROM codes WHERE id = $1 RETURNING id, workspace_id, version),
           counts AS (DELETE FROM code_scans WHERE code_id = $1),
           health AS (DELETE FROM destination_health WHERE code_id = $1)
           INSERT INTO erased_codes (code_id, workspace_id, version) SELECT id, workspace_id, version + 1 FROM gone
           RETURNING ${columns}`,
    values: [id],
  });
  return rows[0]!;
};

/** Removes what other tables have of an erased code's content: its history, and the logos that were kept for it. */
export const removeHistory = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query({
    name: 'erase-code-history',
    text: 'DELETE FROM code_versions WHERE code_id = $1',
    values: [id],
  });
  await tx.query({
    name: 'erase-code-logos',
    text: 'DELETE FROM code_version_logos WHERE code_id = $1',
    values: [id],
  });
};

/** Counts from before are not written any more (../lists/copied-counts.ts). */
export const forgetScanCounts = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'forget-scan-counts',
    text: `UPDATE code_scans SET scans = 0, last_scanned_at = '-infinity', scans_erased = scans_erased + 1 WHERE code_id = $1`,
    values: [id],
  });
};
