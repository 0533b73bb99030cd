/** Purges submissions: they become invisible at once, and a job removes their rows. */
import type { z } from 'zod';
import type { deleteFormQuery } from '#schemas/api/forms.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { countOutlived } from './find-form.ts';
import { createRemoval } from './removal.ts';

type DeleteFormQuery = z.output<typeof deleteFormQuery>;

/** Purges all submissions of a form, and creates the job that removes their rows. */
export const purgeSubmissions = async (tx: Transaction, formId: string): Promise<void> => {
  await markPurged(tx, formId);
  await forgetPurgedForm(tx, formId);
  await createRemoval(tx, formId);
};

/** A deleted form's content is kept only for its submissions. */
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

/** What DELETE of a form does with its submissions, including a form that was deleted before. */
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
