/**
 * Removes the rows of purged submissions, a batch after the other. One run is at work at a time, however many jobs are due: a form of
 * many rows holds up no other job. The lock goes with the connection of its run, so that a run that is killed leaves the rest to the next.
 */
import type { Pool, Queryable } from '../../../db/pool.ts';
import type { Job } from '../../../jobs/registry.ts';

const task = 'remove-purged-submissions';

/** Rows that one statement removes: it takes far less than the limit of a statement, also where each has 1.6 MB. */
const batchRows = 500;

/** Any number, so that other advisory locks with two keys are other ones. */
const lockClass = 5_310_779;

export const enqueueRemoval = (db: Queryable) =>
  db.query({
    name: 'enqueue-submission-removal',
    text: 'SELECT graphile_worker.add_job($1)',
    values: [task],
  });

interface Purged {
  formId: string;
  purgedSeq: string;
}

const findPurged = async (db: Queryable): Promise<Purged | undefined> => {
  const { rows } = await db.query<Purged>({
    name: 'find-purged-form',
    text: `SELECT form_id AS "formId", purged_seq AS "purgedSeq" FROM form_submission_counts
           WHERE removed_seq < purged_seq LIMIT 1`,
  });
  return rows[0];
};

/** @returns how many rows are gone */
const removeBatch = async (db: Queryable, { formId, purgedSeq }: Purged): Promise<number> => {
  const { rowCount } = await db.query({
    name: 'remove-purged-submissions',
    text: `DELETE FROM form_submissions WHERE form_id = $1 AND seq IN (
             SELECT seq FROM form_submissions WHERE form_id = $1 AND seq <= $2 ORDER BY seq LIMIT $3)`,
    values: [formId, purgedSeq, batchRows],
  });
  return rowCount ?? 0;
};

const markRemoved = (db: Queryable, { formId, purgedSeq }: Purged) =>
  db.query({
    name: 'mark-submissions-removed',
    text: 'UPDATE form_submission_counts SET removed_seq = greatest(removed_seq, $2) WHERE form_id = $1',
    values: [formId, purgedSeq],
  });

const lockRemoval = async (db: Queryable): Promise<boolean> => {
  const { rows } = await db.query<{ locked: boolean }>({
    name: 'lock-submission-removal',
    text: 'SELECT pg_try_advisory_lock($1, 0) AS locked',
    values: [lockClass],
  });
  return rows[0]!.locked;
};

const unlockRemoval = (db: Queryable) =>
  db.query({
    name: 'unlock-submission-removal',
    text: 'SELECT pg_advisory_unlock($1, 0)',
    values: [lockClass],
  });

const removeAll = async (db: Queryable): Promise<void> => {
  for (let purged = await findPurged(db); purged; purged = await findPurged(db)) {
    while ((await removeBatch(db, purged)) > 0);
    await markRemoved(db, purged);
  }
};

/** @returns false where another run is at work */
const removeAlone = async (pool: Pool): Promise<boolean> => {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const isAlone = await lockRemoval(client);
    if (isAlone) {
      await removeAll(client);
      await unlockRemoval(client);
    }
    isBroken = false;
    return isAlone;
  } finally {
    client.release(isBroken);
  }
};

/** At the start: the queue keeps the job of a process that was killed for hours. */
export const resumeRemoval = async (pool: Pool): Promise<void> => {
  if (await findPurged(pool)) await enqueueRemoval(pool);
};

/** Runs with every purge, and each minute for what a run that was killed has left. */
export const removalJob = (pool: Pool): Job => ({
  task,
  schedule: '* * * * *',
  async run() {
    // Looks again after the lock is free: the job of a purge that came just before that has found it held.
    while (await findPurged(pool)) if (!(await removeAlone(pool))) return;
  },
});
