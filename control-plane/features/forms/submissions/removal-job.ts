/**
 * Removes the rows of purged submissions in batches. One run works at a time, however many jobs are due, so a form
 * with many rows holds up no other job. The lock belongs to the run's connection: a killed run leaves the rest to the
 * next one.
 */
import type { Pool, Queryable } from '../../../db/pool.ts';
import type { Task } from '../../../jobs/tasks.ts';

const task = 'remove-purged-submissions';

/** Rows per statement: far below the time limit of a statement, even at 1.6 MB per row. */
const batchRows = 500;

/** An arbitrary number that no other advisory lock with two keys uses. */
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

/** @returns how many rows were removed */
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

/** @returns false if another run is at work */
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

/** At the start, since the queue holds the job of a killed process for hours. */
export const resumeRemoval = async (pool: Pool): Promise<void> => {
  if (await findPurged(pool)) await enqueueRemoval(pool);
};

/** Runs with every purge, and each minute for leftovers of a killed run. */
export const removalJob = (pool: Pool): Task => ({
  task,
  schedule: '* * * * *',
  async run() {
    // Checks again after releasing the lock: the job of a purge just before that found it held.
    while (await findPurged(pool)) if (!(await removeAlone(pool))) return;
  },
});
