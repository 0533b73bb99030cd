/** A submission, from a visitor's input to the stored row: stored completely with its event, or not at all. */

import type { FormContent } from '#schemas/api/forms.ts';
import type { FormPairs } from '../../../api/http/form-body.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import {
  findStoredValues,
  insertSubmission,
  lockSubmissionCount,
  storedBytesMax,
  storedBytesOf,
} from '../submissions/store.ts';
import type { Sender } from '../submissions/submission.ts';
import { type CheckedValues, checkValues } from './check-values.ts';
import { goneAnswers, isStoredAsSent } from './sent-answers.ts';

/** A submission's form, as it is while the submission is stored. */
type Form = HostedPage<FormContent>;

/**
 * Locks the form against changes, pauses and deletion until the transaction ends.
 * @returns undefined if there is none, or if it was deleted
 */
const lockForm = async (tx: Transaction, formId: string): Promise<Form | undefined> => {
  const { rows } = await tx.query<Form>({
    name: 'lock-form',
    text: `SELECT id, kind, workspace_id AS "workspaceId", name, status, content, language,
             version::integer AS version, created_at AS "createdAt", updated_at AS "updatedAt"
           FROM hosted_pages WHERE id = $1 AND kind = 'form' AND deleted_at IS NULL FOR SHARE`,
    values: [formId],
  });
  return rows[0];
};

export interface SentForm {
  formId: string;
  /** Of the page that was sent. */
  nonce: Buffer;
  sent: FormPairs;
  sender: Sender;
}

export type Submitted =
  /** The form does not exist, or was deleted. */
  | { kind: 'absent' }
  | { kind: 'paused'; form: Form }
  /** Some values are invalid. */
  | { kind: 'faulty'; form: Form; checked: CheckedValues }
  /** There are answers to fields that the form no longer has. */
  | { kind: 'changed'; form: Form; checked: CheckedValues }
  /** The page has stored other values before. */
  | { kind: 'used'; form: Form; checked: CheckedValues }
  /** The page has stored these values before: by a double click, a reload, or a first try whose answer was lost. */
  | { kind: 'repeated'; form: Form }
  /** The workspace has reached its limit. */
  | { kind: 'full'; form: Form; checked: CheckedValues }
  | { kind: 'stored'; form: Form; submissionId: string };

/** Stores a submission, once per page. @throws errors of PostgreSQL */
export const submitForm = (pool: Pool, outbox: Outbox, sent: SentForm): Promise<Submitted> =>
  inTransaction(pool, async (tx): Promise<Submitted> => {
    const form = await lockForm(tx, sent.formId);
    if (!form) return { kind: 'absent' };
    if (form.status === 'paused') return { kind: 'paused', form };
    // Against the current form: changes since the page was shown count.
    const checked = checkValues(form.content.fields, sent.sent);
    const gone = goneAnswers(form.content.fields, sent.sent).size > 0;
    const isFaulty = checked.faults.size > 0;
    if (!isFaulty && !gone) await lockSubmissionCount(tx, form.id);
    const stored = await findStoredValues(tx, form.id, sent.nonce);
    if (stored && isStoredAsSent(stored, sent.sent)) return { kind: 'repeated', form };
    if (gone) return { kind: 'changed', form, checked };
    if (isFaulty) return { kind: 'faulty', form, checked };
    if (stored) return { kind: 'used', form, checked };
    if ((await storedBytesOf(tx, form.workspaceId)) >= storedBytesMax) return { kind: 'full', form, checked };
    return { kind: 'stored', form, submissionId: await store(tx, outbox, form, checked, sent) };
  });

/** @returns its id */
const store = async (
  tx: Transaction,
  outbox: Outbox,
  { id: formId, workspaceId, version, name }: Form,
  { values }: CheckedValues,
  { nonce, sender }: SentForm,
): Promise<string> => {
  const { id, createdAt } = await insertSubmission(tx, { formId, nonce, values, ...sender });
  await outbox.emit(tx, [
    {
      type: 'form.submitted',
      workspaceId,
      subject: { id: formId, version },
      occurredAt: createdAt,
      data: { formName: name, submissionId: id },
    },
  ]);
  return id;
};
