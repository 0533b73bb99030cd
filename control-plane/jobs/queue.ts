/**
 * The job queue, which lives in the same database: a job that is added in a transaction exists exactly if the change
 * that caused it does.
 */
import type { Queryable } from '../db/pool.ts';
import type { Transaction } from '../db/transaction.ts';

export interface NewJob {
  task: string;
  payload: object;
  /** A job with the same key is replaced; by it the job can be removed. */
  key: string;
  delaySeconds: number;
  /** Tries are spaced exponentially, up to six hours apart. */
  attemptsMax: number;
}

export const addJob = async (tx: Transaction, job: NewJob): Promise<void> => {
  await tx.query({
    name: 'add-job',
    text: `SELECT graphile_worker.add_job($1, payload := $2, job_key := $3, max_attempts := $5,
                                          run_at := now() + make_interval(secs => $4)) IS NOT NULL`,
    values: [job.task, job.payload, job.key, job.delaySeconds, job.attemptsMax],
  });
};

/**
 * Removes jobs that have become needless; one that runs just now finishes, and is not tried again. Not waiting for the
 * disk: a removal that is lost costs one needless run, and the queue's NOTIFY lets only one commit wait at a time.
 */
export const removeJobs = async (db: Queryable, keys: readonly string[]): Promise<void> => {
  await db.query({
    name: 'remove-jobs',
    text: `SELECT set_config('synchronous_commit', 'off', true), count(graphile_worker.remove_job(key))
           FROM unnest($1::text[]) AS key`,
    values: [keys],
  });
};

/** Makes the waiting jobs of a task due now, with all their attempts before them. */
export const makeDue = async (db: Queryable, task: string): Promise<void> => {
  await db.query(
    `SELECT count(*) FROM graphile_worker.reschedule_jobs(
       ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND locked_at IS NULL),
       run_at := now(), attempts := 0)`,
    [task],
  );
};
