/** What serialized batches know of their jobs: mints, and exports of every kind. */
import type { SerializedJobType } from '#schemas/api/serialized.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Job, JobKind } from '../../../jobs/kind.ts';
import { createJob, jobColumns } from '../../../jobs/store.ts';
import { findOwned, type OwnedTable } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export const mintJobIds = prefixedIds('sjob');

const ownedJobs: OwnedTable = {
  table: 'jobs',
  noun: 'serialized job',
  isIdShaped: (id) => /^(?:sjob|szip|ssheet)_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export interface NewSerializedJob {
  /** `sjob_…`, or with the prefix of another kind. */
  id: string;
  workspaceId: string;
  batchId: string;
  kind: Pick<JobKind, 'lane'> & { name: SerializedJobType };
  /** Items to be written, at least one. */
  count: number;
  imageFormat?: string;
}

export interface StoredJob extends Job, JobDetails {
  kind: SerializedJobType;
  total: number;
  /** Until when its result can be fetched; null without an end. */
  resultUntil: Date | null;
}

/** Its work begins once the transaction is committed. */
export const insertJob = async (tx: Transaction, job: NewSerializedJob): Promise<void> => {
  const { id, workspaceId, batchId, kind, count, imageFormat } = job;
  await createJob(tx, { id, workspaceId, kind: kind.name, lane: kind.lane, total: count });
  await tx.query({
    name: 'insert-serialized-job',
    text: 'INSERT INTO serialized_jobs (id, batch_id, image_format) VALUES ($1, $2, $3)',
    values: [id, batchId, imageFormat ?? null],
  });
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the job is another workspace's */
export const findJob = (db: Queryable, workspaceId: string, jobId: string): Promise<StoredJob> =>
  findOwned(db, ownedJobs, workspaceId, jobId, {
    name: 'find-serialized-job',
    text: `SELECT ${jobColumns}, batch_id AS "batchId", image_format AS "imageFormat"
           FROM jobs JOIN serialized_jobs USING (id) WHERE id = $1 AND workspace_id = $2`,
  });

export interface JobPage {
  /** The seq of the last job of the page before; undefined for the first page. */
  beforeSeq: string | undefined;
  /** Jobs that do this alone. */
  kind: SerializedJobType | undefined;
  limit: number;
}

/** A page of a batch's jobs, newest first. @param batch of the workspace */
export const listBatchJobs = async (
  db: Queryable,
  batch: { id: string; workspaceId: string },
  { beforeSeq, kind, limit }: JobPage,
): Promise<StoredJob[]> => {
  const { rows } = await db.query<StoredJob>({
    name: 'list-serialized-jobs',
    text: `SELECT ${jobColumns}, batch_id AS "batchId", image_format AS "imageFormat"
           FROM serialized_jobs JOIN jobs USING (id)
           WHERE batch_id = $1 AND workspace_id = $2 AND ($3::bigint IS NULL OR seq < $3) AND kind = coalesce($4, kind)
           ORDER BY seq DESC LIMIT $5`,
    values: [batch.id, batch.workspaceId, beforeSeq ?? null, kind ?? null, limit],
  });
  return rows;
};

export interface JobDetails {
  batchId: string;
  imageFormat: string | null;
}

export const findJobDetails = async (db: Queryable, jobId: string): Promise<JobDetails> => {
  const { rows } = await db.query<JobDetails>({
    name: 'find-serialized-job-details',
    text: 'SELECT batch_id AS "batchId", image_format AS "imageFormat" FROM serialized_jobs WHERE id = $1',
    values: [jobId],
  });
  return rows[0]!;
};
