/** For tests: inserts forms and submissions directly. */
import type { FormField } from '#schemas/api/forms.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { formResource } from '../resource.ts';

export const emailField: FormField = { id: 'email', type: 'email', label: 'E-mail', required: true };
export const noteField: FormField = { id: 'note', type: 'text', label: 'Note', required: false };

/** @returns its id */
export const insertForm = async (
  pool: Pool,
  workspaceId: string,
  fields: FormField[] = [emailField, noteField],
): Promise<string> => {
  const id = formResource.ids.create();
  await pool.query(
    `INSERT INTO hosted_pages (id, workspace_id, kind, name, status, content, language)
     VALUES ($1, $2, 'form', 'Contact', 'active', $3, '')`,
    [id, workspaceId, { fields, theme: {}, socials: [] }],
  );
  return id;
};

/** Submissions whose values are `note` 1, 2, 3 and so on, in a form without submissions. */
export const insertSubmissions = async (
  pool: Pool,
  formId: string,
  count: number,
  note = '',
): Promise<void> => {
  await pool.query(
    `WITH counted AS (
       INSERT INTO form_submission_counts (form_id, submissions, last_seq) VALUES ($1, $2, $2)
     )
     INSERT INTO form_submissions (form_id, seq, id, nonce, field_values, ip, user_agent, referrer, created_at)
     SELECT $1, n, 'subm_' || lpad(n::text, 16, 'x'), int8send(n), json_build_object('note', n || $3::text),
       '198.51.100.7', 'Mozilla/5.0', '', now() + n * interval '1 ms'
     FROM generate_series(1::bigint, $2) AS n`,
    [formId, count, note],
  );
};
