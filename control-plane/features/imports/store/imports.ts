/** Imports in PostgreSQL. */
import type { ImportHost, ImportReason, ImportSource, ImportStatus } from '#schemas/api/imports.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { JobStatus } from '../../../jobs/kind.ts';
import { createJob } from '../../../jobs/store.ts';
import { findOwned, type OwnedTable } from '../../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export const importIds = prefixedIds('imp');
export const importRunIds = prefixedIds('imprun');

/** The imports of a workspace are worked on one after the other; its bulk operations go on beside them. */
export const importLane = 'imports';
export const checkJobs = { name: 'import_check', lane: importLane } as const;
export const runJobs = { name: 'import_run', lane: importLane } as const;

/** The quota that each code uses. */
export interface RowQuota {
  quota: string;
  /** First day of the period, `YYYY-MM-DD`. */
  periodStart: string;
}

export interface NewImport {
  id: string;
  workspaceId: string;
  subscriptionId: string;
  source: ImportSource;
  sourceDetected: boolean;
  domain: string | null;
  host: string | null;
  skipped: number;
  hosts: readonly ImportHost[];
  notes: readonly string[];
}

/** What was counted when rows ended. */
export interface ImportCounts {
  ready: number;
  refused: number;
  created: number;
  failed: number;
  /** Of the ready rows. */
  aliases: number;
  reasons: Partial<Record<ImportReason, number>>;
}

export interface StoredImport extends NewImport, ImportCounts {
  /** Of the job of its check. */
  seq: string;
  runId: string | null;
  total: number;
  checked: number;
  checkStatus: JobStatus;
  /** Null: it was not started. */
  runStatus: JobStatus | null;
  error: string | null;
  cancelledAt: Date | null;
  quota: string | null;
  periodStart: string | null;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
}

/** SQL: imports with their jobs. */
export const wholeImports = `(
  SELECT i.id, i.workspace_id, c.seq, i.run_id AS "runId", i.workspace_id AS "workspaceId",
    i.subscription_id AS "subscriptionId", i.source, i.source_detected AS "sourceDetected", i.domain, i.host, i.skipped,
    i.hosts, i.notes, i.ready, i.refused, i.created, i.failed, i.aliases, i.reasons,
    i.cancelled_at AS "cancelledAt", i.quota, to_char(i.period_start, 'YYYY-MM-DD') AS "periodStart",
    c.total, c.done AS checked, c.status AS "checkStatus", r.status AS "runStatus", coalesce(r.error, c.error) AS error,
    c.created_at AS "createdAt", greatest(c.updated_at, r.updated_at, i.cancelled_at) AS "updatedAt",
    r.created_at AS "startedAt"
  FROM imports i JOIN jobs c ON c.id = i.id LEFT JOIN jobs r ON r.id = i.run_id
) AS whole`;

const ownedImports: OwnedTable = {
  table: 'imports',
  noun: 'import',
  isIdShaped: (id) => /^imp_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export const statusOf = ({
  cancelledAt,
  checkStatus,
  runStatus,
}: Pick<StoredImport, 'cancelledAt' | 'checkStatus' | 'runStatus'>): ImportStatus => {
  if (cancelledAt) return 'cancelled';
  if (runStatus === 'completed' || runStatus === 'failed') return runStatus;
  if (runStatus !== null) return 'importing';
  if (checkStatus === 'failed') return 'failed';
  return checkStatus === 'completed' ? 'checked' : 'checking';
};

/** @throws {ClientError} NOT_FOUND, FORBIDDEN */
export const findImport = (db: Pool, workspaceId: string, id: string): Promise<StoredImport> =>
  findOwned<StoredImport>(db, ownedImports, workspaceId, id, {
    name: 'find-import',
    text: `SELECT * FROM ${wholeImports} WHERE id = $1 AND workspace_id = $2`,
  });

/** Until the transaction ends, no other request changes the import. @throws {ClientError} NOT_FOUND, FORBIDDEN */
export const lockImport = async (tx: Transaction, workspaceId: string, id: string): Promise<StoredImport> => {
  await tx.query({
    name: 'lock-import',
    text: 'SELECT FROM imports WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE',
    values: [id, workspaceId],
  });
  return findOwned<StoredImport>(tx, ownedImports, workspaceId, id, {
    name: 'find-import',
    text: `SELECT * FROM ${wholeImports} WHERE id = $1 AND workspace_id = $2`,
  });
};

/** The import of a job is removed: no later slice of it can do anything. */
export class ImportGone extends Error {
  override name = 'ImportGone';
}

/** @param jobId of its check, or of its run @returns undefined if it is removed */
export const seekImportOfJob = async (db: Queryable, jobId: string): Promise<StoredImport | undefined> => {
  const { rows } = await db.query<StoredImport>({
    name: 'find-import-of-job',
    text: `SELECT * FROM ${wholeImports} WHERE id = $1 OR "runId" = $1`,
    values: [jobId],
  });
  return rows[0];
};

/** @throws {ImportGone} */
export const findImportOfJob = async (db: Queryable, jobId: string): Promise<StoredImport> => {
  const found = await seekImportOfJob(db, jobId);
  if (!found) throw new ImportGone('The import was removed');
  return found;
};

/** Newest first. @param before the seq of the last one on the page before; undefined: the newest */
export const listImports = async (
  db: Queryable,
  workspaceId: string,
  before: string | undefined,
  limit: number,
): Promise<StoredImport[]> => {
  const { rows } = await db.query<StoredImport>({
    name: 'list-imports',
    text: `SELECT * FROM ${wholeImports} WHERE workspace_id = $1 AND ($2::bigint IS NULL OR seq < $2) ORDER BY seq DESC LIMIT $3`,
    values: [workspaceId, before ?? null, limit],
  });
  return rows;
};

/** Until the transaction ends, no other import of the workspace begins. */
export const lockImports = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-imports',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('imports ' || $1, 0))`,
    values: [workspaceId],
  });
};

export const countImports = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-imports',
    text: 'SELECT count(*)::integer AS count FROM imports WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0]!.count;
};

/** With the job of its check. @param total of its rows */
export const insertImport = async (
  tx: Transaction,
  made: NewImport,
  total: number,
): Promise<StoredImport> => {
  const { id, workspaceId } = made;
  await createJob(tx, { id, workspaceId, kind: checkJobs.name, lane: checkJobs.lane, total });
  await tx.query({
    name: 'insert-import',
    text: `INSERT INTO imports (id, workspace_id, subscription_id, source, source_detected, domain, host, skipped, hosts, notes)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      id,
      workspaceId,
      made.subscriptionId,
      made.source,
      made.sourceDetected,
      made.domain,
      made.host,
      made.skipped,
      JSON.stringify(made.hosts),
      JSON.stringify(made.notes),
    ],
  });
  return findImportOfJob(tx, id);
};

/** With the job of its run. @param quota undefined: nothing is counted */
export const beginRun = async (
  tx: Transaction,
  { id, workspaceId, ready }: StoredImport,
  runId: string,
  quota: RowQuota | undefined,
): Promise<StoredImport> => {
  await createJob(tx, { id: runId, workspaceId, kind: runJobs.name, lane: runJobs.lane, total: ready });
  await tx.query({
    name: 'begin-import-run',
    text: 'UPDATE imports SET run_id = $2, quota = $3, period_start = $4 WHERE id = $1',
    values: [id, runId, quota?.quota ?? null, quota?.periodStart ?? null],
  });
  return findImportOfJob(tx, id);
};

/** Only the worker of the import counts, one slice at a time. */
export const storeCounts = async (tx: Transaction, id: string, counts: ImportCounts): Promise<void> => {
  await tx.query({
    name: 'store-import-counts',
    text: `UPDATE imports SET ready = $2, refused = $3, created = $4, failed = $5, aliases = $6, reasons = $7 WHERE id = $1`,
    values: [
      id,
      counts.ready,
      counts.refused,
      counts.created,
      counts.failed,
      counts.aliases,
      JSON.stringify(counts.reasons),
    ],
  });
};

export const setCancelled = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query({
    name: 'cancel-import',
    text: 'UPDATE imports SET cancelled_at = clock_timestamp() WHERE id = $1',
    values: [id],
  });
};

/** With its rows and jobs. The codes stay. The job of its run goes last: the import refers to it. */
export const removeImport = async (tx: Transaction, { id, runId }: Pick<StoredImport, 'id' | 'runId'>) => {
  for (const jobId of [id, runId])
    await tx.query({ name: 'remove-import', text: 'DELETE FROM jobs WHERE id = $1', values: [jobId] });
};
