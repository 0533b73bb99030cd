/** The result of a job that makes a file of a batch: who may have it, and from when until when it is there. */
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { isResultReady } from '../objects.ts';
import { findBatch } from '../store/batches.ts';
import { findJob, type StoredJob } from '../store/jobs.ts';

/** A kind of results, and the words for it. */
export interface ResultKind {
  readonly kind: StoredJob['kind'];
  /** `an image export` */
  readonly job: string;
  /** `zip` */
  readonly file: string;
  /** What is drawn: `images`. */
  readonly drawn: string;
  /** `export the images again` */
  readonly again: string;
  /** For how many days it is kept. */
  readonly days: number;
}

/** @throws {ClientError} NOT_FOUND for a job that makes no such file of this batch; FORBIDDEN for another workspace's */
const findOwnJob = async (
  pool: Pool,
  workspaceId: string,
  batchId: string,
  jobId: string,
  { kind, job: what }: ResultKind,
): Promise<StoredJob> => {
  const batch = await findBatch(pool, workspaceId, batchId);
  const job = await findJob(pool, workspaceId, jobId);
  if (job.kind === kind && job.batchId === batch.id) return job;
  throw new ClientError('NOT_FOUND', `jobId must be the id of ${what} of ${batch.id}; given: ${job.id}`);
};

/** @throws {ClientError} CONFLICT where there is no file yet or never will be, NOT_FOUND where there is none any more */
const requireResult = (job: StoredJob, { file, drawn, again, days }: ResultKind): void => {
  const { id, status, total, done, error, resultUntil } = job;
  if (isResultReady(job)) return;
  if (status === 'completed')
    throw new ClientError(
      'NOT_FOUND',
      `The ${file} of ${id} was kept until ${resultUntil?.toISOString()}, at most for ${days} days; ${again}`,
    );
  if (status === 'failed') throw new ClientError('CONFLICT', `${id} has no ${file}: ${error}`);
  throw new ClientError('CONFLICT', `${id} is not completed: ${done} of ${total} ${drawn} are drawn`, {
    retryAfterSeconds: 1,
  });
};

/** The job of a result that is there. @throws {ClientError} see {@link findOwnJob} and {@link requireResult} */
export const findResultJob = async (
  pool: Pool,
  workspaceId: string,
  batchId: string,
  jobId: string,
  kind: ResultKind,
): Promise<StoredJob> => {
  const job = await findOwnJob(pool, workspaceId, batchId, jobId, kind);
  requireResult(job, kind);
  return job;
};

/** The error for a result that should be in the storage, and is not. */
export const lostResult = (logger: Logger, jobId: string, { file, again }: ResultKind): ClientError => {
  logger.warn({ jobId }, `the storage has lost a ${file}; do all control planes have the same STORAGE_URL?`);
  return new ClientError('NOT_FOUND', `The ${file} of ${jobId} is not in the storage any more; ${again}`);
};
