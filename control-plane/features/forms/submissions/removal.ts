/** Removals of purged submissions, as jobs: a slice deletes some rows of a form. A job is forgotten when it ends. */
import { prefixedIds } from '#shared/ids.ts';
import { type JobKind, jobKind } from '../../../jobs/kind.ts';
import { createJob } from '../../../jobs/store.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export const removalIds = prefixedIds('purge');

/** Rows per slice: far below the time limit of a statement, even at 1.6 MB per row. */
const sliceRows = 500;

export const removalJobs = { name: 'submission_removal', lane: 'submission_removal' } as const;

/** Its work begins once the transaction is committed. */
export const createRemoval = async (tx: Transaction, formId: string): Promise<void> => {
  const id = removalIds.create();
  const { rows } = await tx.query<{ workspaceId: string }>({
    name: 'find-workspace-of-form',
    text: 'SELECT workspace_id AS "workspaceId" FROM hosted_pages WHERE id = $1',
    values: [formId],
  });
  const { name: kind, lane } = removalJobs;
  await createJob(tx, { id, workspaceId: rows[0]!.workspaceId, kind, lane, total: null });
  await tx.query({
    name: 'insert-form-purge',
    text: 'INSERT INTO form_purges (id, form_id) VALUES ($1, $2)',
    values: [id, formId],
  });
};

/** @returns how many rows were removed */
const removeRows = async (tx: Transaction, jobId: string): Promise<number> => {
  const { rowCount } = await tx.query({
    name: 'remove-purged-submissions',
    text: `DELETE FROM form_submissions WHERE (form_id, seq) IN (
             SELECT form_id, seq FROM form_purges JOIN form_submission_counts USING (form_id) JOIN form_submissions USING (form_id)
             WHERE form_purges.id = $1 AND seq <= purged_seq ORDER BY seq LIMIT $2)`,
    values: [jobId, sliceRows],
  });
  return rowCount ?? 0;
};

const forget = async (tx: Transaction, jobId: string): Promise<void> => {
  await tx.query({ name: 'forget-form-purge', text: 'DELETE FROM jobs WHERE id = $1', values: [jobId] });
};

export const removalKind: JobKind = jobKind<undefined, undefined>({
  ...removalJobs,
  failure: 'The submissions could not be removed, for a reason of ours',
  async effect(tx, { id }) {
    const done = await removeRows(tx, id);
    const isLast = done < sliceRows;
    if (isLast) await forget(tx, id);
    return { done, isLast };
  },
  // They are promised to be removed: whatever fails is tried again.
  isHopeless: () => false,
});
