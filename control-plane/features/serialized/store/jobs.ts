/**
 * The jobs of serialized batches in PostgreSQL: mints, and exports of every kind. A job is created with its first work, makes
 * progress, and ends `completed` or `failed` for good: what has ended is not changed any more, so that whoever works on a job
 * learns from `false` that it was cancelled, or that somebody else has ended it.
 */
import type { JobStatus, SerializedJobType } from '#schemas/api/serialized.ts';
import { prefixedIds } from '#shared/ids.ts';
import { findOwned, type OwnedTable } from '../../../db/owned.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Transaction } from '../../../db/transaction.ts';

export const mintJobIds = prefixedIds('sjob');

const ownedJobs: OwnedTable = {
  table: 'serialized_jobs',
  noun: 'serialized job',
  isIdShaped: (id) => /^(?:sjob|szip|ssheet)_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export interface NewJob {
  /** `sjob_…`, or with the prefix of another type. */
  id: string;
  workspaceId: string;
  batchId: string;
  type: SerializedJobType;
  /** Items that it has to write, at least one. */
  count: number;
  imageFormat?: string | null;
  /** What the call has asked for besides; JSON. */
  options?: object;
}

export interface StoredJob {
  id: string;
  /** Order of creation. */
  seq: string;
  workspaceId: string;
  batchId: string;
  type: SerializedJobType;
  status: JobStatus;
  count: number;
  itemsWritten: number;
  imageFormat: string | null;
  options: unknown;
  /** Why it failed. */
  error: string | null;
  /** How often its work has failed since it last made progress. */
  failures: number;
  /** Since when nothing of it could be done. Null where something was. */
  heldUpSince: Date | null;
  /** Until when its result can be fetched; null without an end. */
  resultUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
}

export const jobColumns = `id, seq, workspace_id AS "workspaceId", batch_id AS "batchId", type, status, count, items_written AS "itemsWritten",
  image_format AS "imageFormat", options, error, failures, held_up_since AS "heldUpSince", result_until AS "resultUntil",
  created_at AS "createdAt", updated_at AS "updatedAt", completed_at AS "completedAt"`;

export const insertJob = async (tx: Transaction, job: NewJob): Promise<StoredJob> => {
  const { rows } = await tx.query<StoredJob>({
    name: 'insert-serialized-job',
    text: `INSERT INTO serialized_jobs (id, workspace_id, batch_id, type, count, image_format, options)
           VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${jobColumns}`,
    values: [
      job.id,
      job.workspaceId,
      job.batchId,
      job.type,
      job.count,
      job.imageFormat ?? null,
      JSON.stringify(job.options ?? {}),
    ],
  });
  return rows[0]!;
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN where the job is another workspace's */
export const findJob = (db: Queryable, workspaceId: string, jobId: string): Promise<StoredJob> =>
  findOwned(db, ownedJobs, workspaceId, jobId, {
    name: 'find-serialized-job',
    text: `SELECT ${jobColumns} FROM serialized_jobs WHERE id = $1 AND workspace_id = $2`,
  });

/** The oldest unfinished job of a workspace, which nobody else changes until the transaction ends. */
export const lockOldestUnfinished = async (
  tx: Transaction,
  workspaceId: string,
  type: SerializedJobType,
): Promise<StoredJob | undefined> => {
  const { rows } = await tx.query<StoredJob>({
    name: 'lock-oldest-unfinished-serialized-job',
    text: `SELECT ${jobColumns} FROM serialized_jobs
           WHERE workspace_id = $1 AND type = $2 AND status IN ('pending', 'processing') ORDER BY seq LIMIT 1
           FOR NO KEY UPDATE`,
    values: [workspaceId, type],
  });
  return rows[0];
};

/** The oldest unfinished job of a workspace; others may change it meanwhile. */
export const findOldestUnfinished = async (
  db: Queryable,
  workspaceId: string,
  type: SerializedJobType,
): Promise<StoredJob | undefined> => {
  const { rows } = await db.query<StoredJob>({
    name: 'find-oldest-unfinished-serialized-job',
    text: `SELECT ${jobColumns} FROM serialized_jobs
           WHERE workspace_id = $1 AND type = $2 AND status IN ('pending', 'processing') ORDER BY seq LIMIT 1`,
    values: [workspaceId, type],
  });
  return rows[0];
};

/** An unfinished job that nobody else changes until the transaction ends; undefined where it has ended. */
export const lockUnfinishedJob = async (tx: Transaction, id: string): Promise<StoredJob | undefined> => {
  const { rows } = await tx.query<StoredJob>({
    name: 'lock-unfinished-serialized-job',
    text: `SELECT ${jobColumns} FROM serialized_jobs WHERE id = $1 AND status IN ('pending', 'processing') FOR NO KEY UPDATE`,
    values: [id],
  });
  return rows[0];
};

/** Its work has begun, or has come further. @returns false where it has ended */
export const addProgress = async (db: Queryable, id: string, items: number): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'add-serialized-progress',
    text: `UPDATE serialized_jobs SET status = 'processing', items_written = items_written + $2, failures = 0, held_up_since = NULL,
             updated_at = clock_timestamp()
           WHERE id = $1 AND status IN ('pending', 'processing')`,
    values: [id, items],
  });
  return rowCount === 1;
};

/** Its work has failed and will be tried again. */
export const countFailure = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'count-serialized-failure',
    text: 'UPDATE serialized_jobs SET failures = failures + 1 WHERE id = $1',
    values: [id],
  });
};

/** Nothing of it can be done now. */
export const markHeldUp = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'mark-serialized-job-held-up',
    text: 'UPDATE serialized_jobs SET held_up_since = coalesce(held_up_since, clock_timestamp()) WHERE id = $1',
    values: [id],
  });
};

/** @param resultUntil when its result is removed, where it is @returns false where it has ended */
export const completeJob = async (db: Queryable, id: string, resultUntil?: Date): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'complete-serialized-job',
    text: `UPDATE serialized_jobs SET status = 'completed', result_until = $2, updated_at = clock_timestamp(),
             completed_at = clock_timestamp()
           WHERE id = $1 AND status IN ('pending', 'processing')`,
    values: [id, resultUntil ?? null],
  });
  return rowCount === 1;
};

/** Ends it, also where its owner cancels it. @param error for its owner @returns false where it has ended */
export const failJob = async (db: Queryable, id: string, error: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'fail-serialized-job',
    text: `UPDATE serialized_jobs SET status = 'failed', error = $2, updated_at = clock_timestamp(), completed_at = clock_timestamp()
           WHERE id = $1 AND status IN ('pending', 'processing')`,
    values: [id, error],
  });
  return rowCount === 1;
};
