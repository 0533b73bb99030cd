/** The form that a submission is for, as it is while the submission is stored. */
import type { FormContent } from '#schemas/api/forms.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import { languageColumn } from '../../hosted/store.ts';

export type Form = HostedPage<FormContent>;

/** Nobody changes, pauses or deletes it until the transaction ends. @returns undefined where there is none, or none any more */
export const lockForm = async (tx: Transaction, formId: string): Promise<Form | undefined> => {
  const { rows } = await tx.query<Form>({
    name: 'lock-form',
    text: `SELECT id, kind, workspace_id AS "workspaceId", name, status, content, ${languageColumn},
             version::integer AS version, created_at AS "createdAt", updated_at AS "updatedAt"
           FROM hosted_pages WHERE id = $1 AND kind = 'form' AND deleted_at IS NULL FOR SHARE`,
    values: [formId],
  });
  return rows[0];
};
