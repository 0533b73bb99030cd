/** Reports in PostgreSQL: what visitors sent, and what the nightly screening found. */
import type { AbuseReason } from '#schemas/api/abuse-reports.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export const reportIds = prefixedIds('abr');

/** Open reports of visitors that are kept of one code: more say nothing new. */
export const openReportsMax = 20;

export interface Report {
  id: string;
  seq: string;
  codeId: string;
  workspaceId: string;
  source: 'visitor' | 'screening';
  reason: string;
  details: string | null;
  contact: string | null;
  createdAt: Date;
}

const columns = `id, seq, code_id AS "codeId", workspace_id AS "workspaceId", source, reason, details, contact,
  created_at AS "createdAt"`;

export interface VisitorReport {
  codeId: string;
  reason: AbuseReason;
  details: string | null;
  contact: string | null;
}

/** Stores a report of a code, unless there is no such code, or enough is open about it; concurrent ones may exceed it by a few. */
export const storeReport = async (db: Queryable, report: VisitorReport): Promise<void> => {
  await db.query({
    name: 'store-abuse-report',
    text: `INSERT INTO abuse_reports (id, code_id, workspace_id, source, reason, details, contact)
           SELECT $1, id, workspace_id, 'visitor', $3, $4, $5 FROM codes WHERE id = $2 AND (
             SELECT count(*) FROM (
               SELECT FROM abuse_reports WHERE code_id = $2 AND decided_at IS NULL LIMIT ${openReportsMax}
             ) AS present
           ) < ${openReportsMax}`,
    values: [reportIds.create(), report.codeId, report.reason, report.details, report.contact],
  });
};

/**
 * @returns whether it is new: a finding is reported once. One for which its code was suspended is new if that was lifted; what
 *   was dismissed stays so
 */
export const storeFinding = async (
  tx: Transaction,
  finding: { codeId: string; workspaceId: string; details: string },
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'store-screening-finding',
    text: `INSERT INTO abuse_reports (id, code_id, workspace_id, source, reason, details)
           VALUES ($1, $2, $3, 'screening', 'blocked-destination', $4)
           ON CONFLICT (code_id, md5(details)) WHERE source = 'screening'
           DO UPDATE SET decision = NULL, decided_at = NULL, created_at = now()
           WHERE abuse_reports.decision = 'suspended'
             AND EXISTS (SELECT FROM codes WHERE id = $2 AND suspended_at IS NULL)`,
    values: [reportIds.create(), finding.codeId, finding.workspaceId, finding.details],
  });
  return rowCount === 1;
};

/** The oldest first. */
export const listOpenReports = async (db: Queryable, afterSeq: string, limit: number): Promise<Report[]> => {
  const { rows } = await db.query<Report>(
    `SELECT ${columns} FROM abuse_reports WHERE decided_at IS NULL AND seq > $1 ORDER BY seq LIMIT $2`,
    [afterSeq, limit],
  );
  return rows;
};

/** Locks an open report until the transaction ends. */
export const lockReport = async (tx: Transaction, id: string): Promise<Report | undefined> => {
  const { rows } = await tx.query<Report>(
    `SELECT ${columns} FROM abuse_reports WHERE id = $1 AND decided_at IS NULL FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Decides all open reports of a code. @returns how many */
export const decideReports = async (
  tx: Transaction,
  codeId: string,
  decision: 'suspended' | 'dismissed',
): Promise<number> => {
  const { rowCount } = await tx.query(
    'UPDATE abuse_reports SET decision = $2, decided_at = now() WHERE code_id = $1 AND decided_at IS NULL',
    [codeId, decision],
  );
  return rowCount ?? 0;
};

const keptDays = 400;
const removedAtOnce = 1_000;

/** Forgets what visitors wrote long ago. Decided findings stay, so that they are not reported once more. */
export const removeOldReports = async (pool: Pool): Promise<void> => {
  let removed: number | null;
  do {
    ({ rowCount: removed } = await pool.query(
      `DELETE FROM abuse_reports WHERE id = ANY(ARRAY(
         SELECT id FROM abuse_reports WHERE decided_at < now() - make_interval(days => $1) AND source = 'visitor'
         LIMIT $2))`,
      [keptDays, removedAtOnce],
    ));
  } while (removed === removedAtOnce);
};
