/** Removes a single submission for good, for example at its visitor's request. */
import { type OwnedTable, refuseUnknown } from '../../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
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

/**
 * The count is locked: see {@link lockSubmissionCount}.
 * @returns its bytes; undefined if it did not exist, or was purged
 */
const deleteRow = async (
  tx: Transaction,
  formId: string,
  submissionId: string,
): Promise<number | undefined> => {
  const { rows } = await tx.query<{ bytes: number }>({
    name: 'delete-submission',
    text: `DELETE FROM form_submissions WHERE form_id = $1 AND id = $2
             AND seq > (SELECT purged_seq FROM form_submission_counts WHERE form_id = $1)
           RETURNING value_bytes + octet_length(user_agent) + octet_length(referrer) + 300 AS bytes`,
    values: [formId, submissionId],
  });
  return rows[0]?.bytes;
};

/** @returns how many the form still has */
const countRemoved = async (db: Queryable, formId: string, bytes: number): Promise<number> => {
  const { rows } = await db.query<{ left: number }>({
    name: 'count-removed-submission',
    text: `UPDATE form_submission_counts SET submissions = submissions - 1, bytes = greatest(0, bytes - $2)
           WHERE form_id = $1
           RETURNING submissions::double precision AS left`,
    values: [formId, bytes],
  });
  return rows[0]!.left;
};

/**
 * Removes and counts it in one transaction. A deleted form without further submissions is forgotten, as by a purge.
 * @throws {ClientError} NOT_FOUND naming the form or the submission, or FORBIDDEN if the form is another workspace's
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
    const bytes = await deleteRow(tx, id, submissionId);
    if (bytes === undefined) return refuseUnknown(owned, submissionId);
    const left = await countRemoved(tx, id, bytes);
    if (deletedAt && left === 0) await forgetPurgedForm(tx, id);
  });
