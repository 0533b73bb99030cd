/**
 * The queue's job of a workspace: each run is one slice of one operation, and enqueues the next one in its own transaction, so
 * that workspaces take turns. One waits at most for each workspace.
 */
import type { Queryable } from '../../../db/pool.ts';

export const task = 'work-bulk';

/** Other jobs that are due go first: they take moments, and there are few. */
const priority = 10;

/** @param delayMs how long the next slice waits where this one could do nothing */
export const enqueue = async (db: Queryable, workspaceId: string, delayMs = 0): Promise<void> => {
  await db.query({
    name: 'enqueue-bulk',
    text: `SELECT graphile_worker.add_job($1, json_build_object('workspaceId', $2::text), priority => $3, job_key => $4,
             job_key_mode => 'preserve_run_at', run_at => now() + make_interval(secs => $5))`,
    values: [task, workspaceId, priority, `bulk:${workspaceId}`, delayMs / 1000],
  });
};

/**
 * Removes the jobs of processes that were killed. Where a job is enqueued while such a one has its key, the queue takes its key and its
 * attempts, and keeps it for ever. One that is locked for less than 4 hours may be under way.
 */
export const removeDeadJobs = async (db: Queryable): Promise<void> => {
  await db.query({
    name: 'remove-dead-bulk-jobs',
    text: `SELECT FROM graphile_worker.complete_jobs(ARRAY(
             SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND key IS NULL AND attempts >= max_attempts
               AND locked_at < now() - interval '4 hours'))`,
    values: [task],
  });
};
