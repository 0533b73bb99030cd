/** Submissions in PostgreSQL, and their number per form. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { type NewSubmission, submissionIds } from './submission.ts';

/** Until the transaction ends, no other one stores or removes a submission of the form. */
export const lockSubmissionCount = async (tx: Transaction, formId: string): Promise<void> => {
  await tx.query({
    name: 'lock-submission-count',
    text: `INSERT INTO form_submission_counts AS counts (form_id) VALUES ($1)
           ON CONFLICT (form_id) DO UPDATE SET submissions = counts.submissions`,
    values: [formId],
  });
};

/** The values stored from the page with this nonce. @returns undefined if it has stored none */
export const findStoredValues = async (
  tx: Transaction,
  formId: string,
  nonce: Buffer,
): Promise<Record<string, string> | undefined> => {
  const { rows } = await tx.query<{ values: Record<string, string> }>({
    name: 'find-stored-values',
    text: 'SELECT field_values AS "values" FROM form_submissions WHERE form_id = $1 AND nonce = $2',
    values: [formId, nonce],
  });
  return rows[0]?.values;
};

/** Stores it and counts it. The count is locked: see {@link lockSubmissionCount}. */
export const insertSubmission = async (
  tx: Transaction,
  submission: NewSubmission,
): Promise<{ id: string; createdAt: Date }> => {
  const { formId, nonce, values, ip, userAgent, referrer } = submission;
  const { rows } = await tx.query<{ id: string; createdAt: Date }>({
    name: 'insert-submission',
    text: `WITH counted AS (
             UPDATE form_submission_counts SET submissions = submissions + 1, last_seq = last_seq + 1,
               bytes = bytes + octet_length($4::json::text) + octet_length($6::text) + octet_length($7::text) + 300
             WHERE form_id = $1 RETURNING last_seq
           )
           INSERT INTO form_submissions (form_id, seq, id, nonce, field_values, ip, user_agent, referrer, created_at)
           SELECT $1, last_seq, $2, $3, $4::json, $5, $6::text, $7::text, clock_timestamp() FROM counted
           RETURNING id, created_at AS "createdAt"`,
    values: [formId, submissionIds.create(), nonce, JSON.stringify(values), ip, userAgent, referrer],
  });
  return rows[0]!;
};

/** The limit per workspace: two million usual submissions. Filling it on purpose takes days, and fills no disk. */
export const storedBytesMax = 2 * 2 ** 30;

/** The bytes of all submissions of a workspace, including deleted forms. */
export const storedBytesOf = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'submission-bytes',
    text: `SELECT coalesce(sum(bytes), 0)::double precision AS bytes
           FROM hosted_pages JOIN form_submission_counts ON form_id = id WHERE workspace_id = $1 AND kind = 'form'`,
    values: [workspaceId],
  });
  return rows[0]!.bytes;
};

/** The number of submissions, by form id; forms that never had one are missing. */
export const countSubmissions = async (
  db: Queryable,
  formIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.query<{ formId: string; submissions: number }>({
    name: 'count-submissions',
    text: `SELECT form_id AS "formId", submissions::double precision AS submissions FROM form_submission_counts
           WHERE form_id = ANY ($1)`,
    values: [formIds],
  });
  return new Map(rows.map(({ formId, submissions }) => [formId, submissions]));
};
