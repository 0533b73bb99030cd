/** Purging submissions: nobody sees them from the moment on; their rows are removed by a job, a batch after the other. */
import type { z } from 'zod';
import type { deleteFormQuery } from '#schemas/api/forms.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Pool, Queryable } from '../../../db/pool.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Job } from '../../../jobs/registry.ts';
import { countOutlived } from './find-form.ts';

type DeleteFormQuery = z.output<typeof deleteFormQuery>;

const task = 'remove-purged-submissions';

/** Rows that one statement removes: it takes far less than the limit of a statement, also where each has 1.6 MB. */
const batchRows = 500;

/** Purges all submissions of a form, and enqueues the removal of their rows. */
export const purgeSubmissions = async (tx: Transaction, formId: string): Promise<void> => {
  await markPurged(tx, formId);
  await forgetPurgedForm(tx, formId);
  await enqueueRemoval(tx);
};

/** What a deleted form said is kept for its submissions only. */
export const forgetPurgedForm = (tx: Transaction, formId: string) =>
  tx.query({
    name: 'forget-purged-form',
    text: `UPDATE hosted_pages SET content = '{}' WHERE id = $1 AND deleted_at IS NOT NULL`,
    values: [formId],
  });

const stillStored = (formId: string, count: number): ClientError => {
  const what = count === 1 ? '1 submission is' : `${count} submissions are`;
  return new ClientError(
    'NOT_FOUND',
    `The form with the id ${quoted(formId)} is deleted, but its ${what} still stored; DELETE it with ?purgeSubmissions=true to purge them`,
  );
};

/** What DELETE of a form does with its submissions, also where the form itself was deleted before. */
export const deletionOfSubmissions = {
  async also(tx: Transaction, formId: string, { purgeSubmissions: isAsked }: DeleteFormQuery): Promise<void> {
    if (isAsked) await purgeSubmissions(tx, formId);
  },
  async rest(
    tx: Transaction,
    workspaceId: string,
    formId: string,
    { purgeSubmissions: isAsked }: DeleteFormQuery,
  ): Promise<boolean> {
    const left = await countOutlived(tx, workspaceId, formId);
    if (left === 0) return false;
    if (!isAsked) throw stillStored(formId, left);
    await purgeSubmissions(tx, formId);
    return true;
  },
};

const markPurged = (tx: Transaction, formId: string) =>
  tx.query({
    name: 'mark-submissions-purged',
    text: 'UPDATE form_submission_counts SET purged_seq = last_seq, submissions = 0, bytes = 0 WHERE form_id = $1',
    values: [formId],
  });

const enqueueRemoval = (tx: Transaction) =>
  tx.query({
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

/** Runs with every purge, and each night for what a purge has left. A run that is killed leaves the rest to the next one. */
export const removalJob = (pool: Pool): Job => ({
  task,
  schedule: '41 3 * * *',
  async run() {
    for (let purged = await findPurged(pool); purged; purged = await findPurged(pool)) {
      while ((await removeBatch(pool, purged)) > 0);
      await markRemoved(pool, purged);
    }
  },
});
