/** Kept exports in PostgreSQL, beside their jobs. */
import type { KeptExportContents, KeptExportFormat } from '#schemas/api/kept-exports.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Job, JobKind } from '../../jobs/kind.ts';
import { createJob, jobColumns } from '../../jobs/store.ts';
import { findOwned, type OwnedTable } from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { FilePiece } from '../../platform/storage/pieced-file.ts';

export const exportIds = prefixedIds('exp');

/** A workspace has one slice of its exports at a time. */
export const exportLane = 'kept_export';

export const jobNames = { codes: 'export_codes', scans: 'export_scans' } as const satisfies Record<
  KeptExportContents,
  string
>;

/** What an export was asked for, and what was known when it began. */
export interface ExportRequest {
  /** Bytes that its file may have. */
  bytesMax: number;
}

/** A job whose items are the rows of its file. */
export interface StoredExport extends Job {
  contents: KeptExportContents;
  format: KeptExportFormat;
  request: ExportRequest;
  /** The last row that was written; null before the first. */
  place: unknown;
  bytes: number;
  removedAt: Date | null;
  resultUntil: Date | null;
}

const columns = `${jobColumns}, contents, format, request, place, bytes::double precision AS bytes, removed_at AS "removedAt"`;
const exports = `jobs JOIN (SELECT job_id AS id, contents, format, request, place, bytes, removed_at FROM kept_exports) AS kept USING (id)`;

const ownedExports: OwnedTable = {
  table: 'jobs',
  noun: 'export',
  isIdShaped: (id) => /^exp_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export interface NewExport extends Pick<StoredExport, 'workspaceId' | 'contents' | 'format'> {
  request: ExportRequest;
}

/** Until the transaction ends, no other export of the workspace begins. */
export const lockExports = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-kept-exports',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('kept exports ' || $1, 0))`,
    values: [workspaceId],
  });
};

/** Its work begins once the transaction is committed. */
export const insertExport = async (
  tx: Transaction,
  { workspaceId, contents, format, request }: NewExport,
): Promise<StoredExport> => {
  const id = exportIds.create();
  await createJob(tx, { id, workspaceId, kind: jobNames[contents], lane: exportLane, total: null });
  await tx.query({
    name: 'insert-kept-export',
    text: 'INSERT INTO kept_exports (job_id, workspace_id, contents, format, request) VALUES ($1, $2, $3, $4, $5)',
    values: [id, workspaceId, contents, format, JSON.stringify(request)],
  });
  return (await findExportOfJob(tx, id))!;
};

/** @throws {ClientError} NOT_FOUND, FORBIDDEN */
export const findExport = (db: Queryable, workspaceId: string, id: string): Promise<StoredExport> =>
  findOwned<StoredExport>(db, ownedExports, workspaceId, id, {
    name: 'find-kept-export',
    text: `SELECT ${columns} FROM ${exports}
           WHERE id = $1 AND workspace_id = $2`,
  });

/** The export of a job. @returns undefined if its files are removed */
export const findExportOfJob = async (db: Queryable, jobId: string): Promise<StoredExport | undefined> => {
  const { rows } = await db.query<StoredExport>({
    name: 'find-kept-export-of-job',
    text: `SELECT ${columns} FROM ${exports}
           WHERE id = $1 AND removed_at IS NULL`,
    values: [jobId],
  });
  return rows[0];
};

/** The newest first. @param before the seq of the last one of the page before */
export const listExports = async (
  db: Queryable,
  workspaceId: string,
  contents: readonly KeptExportContents[],
  before: string | undefined,
  limit: number,
): Promise<StoredExport[]> => {
  const { rows } = await db.query<StoredExport>({
    name: 'list-kept-exports',
    text: `SELECT ${columns} FROM ${exports}
           WHERE workspace_id = $1 AND contents = ANY($2) AND ($3::bigint IS NULL OR seq < $3)
           ORDER BY seq DESC LIMIT $4`,
    values: [workspaceId, contents, before ?? null, limit],
  });
  return rows;
};

/** The unfinished one of a workspace. */
export const findUnfinished = async (db: Queryable, workspaceId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-unfinished-kept-export',
    text: `SELECT id FROM jobs WHERE workspace_id = $1 AND lane = $2 AND status IN ('pending', 'processing') LIMIT 1`,
    values: [workspaceId, exportLane satisfies JobKind['lane']],
  });
  return rows[0]?.id;
};

/** Bytes of files that are kept for a workspace. */
export const sumKept = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'sum-kept-exports',
    text: `SELECT coalesce(sum(bytes), 0)::double precision AS bytes FROM kept_exports
           WHERE workspace_id = $1 AND removed_at IS NULL`,
    values: [workspaceId],
  });
  return rows[0]!.bytes;
};

export interface NewPart extends FilePiece {
  /** The last row of the part. */
  place: unknown;
}

export const insertPart = async (tx: Transaction, jobId: string, part: NewPart): Promise<void> => {
  const { key, bytes, place } = part;
  await tx.query({
    name: 'insert-kept-export-part',
    text: `INSERT INTO kept_export_parts (job_id, position, key, bytes)
           SELECT $1, coalesce(max(position) + 1, 0), $2, $3 FROM kept_export_parts WHERE job_id = $1`,
    values: [jobId, key, bytes],
  });
  await tx.query({
    name: 'add-kept-export-part',
    text: 'UPDATE kept_exports SET place = $2, bytes = bytes + $3 WHERE job_id = $1',
    values: [jobId, JSON.stringify(place), bytes],
  });
};

/** In their order. */
export const listParts = async (db: Queryable, jobId: string): Promise<FilePiece[]> => {
  const { rows } = await db.query<FilePiece>({
    name: 'list-kept-export-parts',
    text: `SELECT key, bytes::double precision AS bytes FROM kept_export_parts WHERE job_id = $1 ORDER BY position`,
    values: [jobId],
  });
  return rows;
};

/** Those of some keys that a file has a part under. */
export const listNeeded = async (db: Queryable, keys: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ key: string }>({
    name: 'list-needed-kept-export-keys',
    text: 'SELECT key FROM kept_export_parts WHERE key = ANY($1::text[])',
    values: [keys],
  });
  return rows.map(({ key }) => key);
};

/** Its parts are removed from the storage. */
export const markRemoved = (pool: Pool, jobId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await tx.query({
      name: 'mark-kept-export-removed',
      text: 'UPDATE kept_exports SET removed_at = now() WHERE job_id = $1 AND removed_at IS NULL',
      values: [jobId],
    });
    await tx.query({
      name: 'remove-kept-export-parts',
      text: 'DELETE FROM kept_export_parts WHERE job_id = $1',
      values: [jobId],
    });
  });

/** Exports with parts that have failed, or whose time is over. */
export const listRemovable = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-removable-kept-exports',
    text: `SELECT id FROM ${exports}
           WHERE removed_at IS NULL AND (status = 'failed' OR result_until <= now()) ORDER BY seq`,
  });
  return rows.map(({ id }) => id);
};

/** Exports that ended long ago, and have no file: from then on their ids are unknown. */
export const forgetExports = async (db: Queryable, days: number): Promise<void> => {
  await db.query({
    name: 'forget-kept-exports',
    text: `DELETE FROM jobs WHERE id IN (SELECT id FROM ${exports}
             WHERE removed_at IS NOT NULL AND completed_at < now() - make_interval(days => $1))`,
    values: [days],
  });
};
