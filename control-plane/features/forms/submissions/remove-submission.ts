/** One submission is removed for good, such as that of a visitor who asks for it. */
import { type OwnedTable, refuseUnknown } from '../../../db/owned.ts';
import type { Pool, Queryable } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { findFormOfSubmissions } from './find-form.ts';
import { forgetPurgedForm } from './purge.ts';
import { lockSubmissionCount } from './store.ts';
import { submissionIds } from './submission.ts';

const shape = new RegExp(`^${submissionIds.prefix}_[A-Za-z0-9]{16}$`);

const owned: OwnedTable = {
  table: 'form_submissions',
  noun: 'submission',
  isIdShaped: (id) => shape.test(id),
};

/** The count is locked: see {@link lockSubmissionCount}. @returns whether it was there and not purged */
const deleteRow = async (tx: Transaction, formId: string, submissionId: string): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'delete-submission',
    text: `DELETE FROM form_submissions WHERE form_id = $1 AND id = $2
             AND seq > (SELECT purged_seq FROM form_submission_counts WHERE form_id = $1)`,
    values: [formId, submissionId],
  });
  return rowCount === 1;
};

/** @returns how many the form still has */
const countRemoved = async (db: Queryable, formId: string): Promise<number> => {
  const { rows } = await db.query<{ left: number }>({
    name: 'count-removed-submission',
    text: `UPDATE form_submission_counts SET submissions = submissions - 1 WHERE form_id = $1
           RETURNING submissions::double precision AS left`,
    values: [formId],
  });
  return rows[0]!.left;
};

/**
 * Removes its row and counts it, together. A deleted form that has no other is forgotten, as by a purge.
 * @throws {ClientError} NOT_FOUND naming the form or the submission, or FORBIDDEN where the form is another workspace's
 */
export const removeSubmission = (
  pool: Pool,
  workspaceId: string,
  formId: string,
  submissionId: string,
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { id, deletedAt } = await findFormOfSubmissions(tx, workspaceId, formId);
    if (!owned.isIdShaped(submissionId)) refuseUnknown(owned, submissionId);
    await lockSubmissionCount(tx, id);
    if (!(await deleteRow(tx, id, submissionId))) refuseUnknown(owned, submissionId);
    const left = await countRemoved(tx, id);
    if (deletedAt && left === 0) await forgetPurgedForm(tx, id);
  });
