/** A submission, from what a visitor has sent to what is stored: all of it with its event, or nothing. */
import type { Pool } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import type { FormPairs } from '../../../http/form-body.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import {
  findStoredValues,
  insertSubmission,
  lockSubmissionCount,
  storedBytesMax,
  storedBytesOf,
} from '../submissions/store.ts';
import type { Sender } from '../submissions/submission.ts';
import { type CheckedValues, checkValues } from './check-values.ts';
import { type Form, lockForm } from './lock-form.ts';
import { goneAnswers, isStoredAsSent } from './sent-answers.ts';

export interface SentForm {
  formId: string;
  /** Of the page that was sent. */
  nonce: Buffer;
  sent: FormPairs;
  sender: Sender;
}

export type Submitted =
  /** There is no such form, or it was deleted. */
  | { kind: 'absent' }
  | { kind: 'paused'; form: Form }
  /** Some values are refused. */
  | { kind: 'faulty'; form: Form; checked: CheckedValues }
  /** There are answers to fields that the form does not have now. */
  | { kind: 'changed'; form: Form; checked: CheckedValues }
  /** The page has stored other values before. */
  | { kind: 'used'; form: Form; checked: CheckedValues }
  /** The page has stored these values before: by a double click, a reload, or a first try whose answer was lost. */
  | { kind: 'repeated'; form: Form }
  /** The workspace has stored as much as it may. */
  | { kind: 'full'; form: Form; checked: CheckedValues }
  | { kind: 'stored'; form: Form; submissionId: string };

/** Stores what is sent, once for each page. @throws what PostgreSQL says */
export const submitForm = (pool: Pool, outbox: Outbox, sent: SentForm): Promise<Submitted> =>
  inTransaction(pool, async (tx): Promise<Submitted> => {
    const form = await lockForm(tx, sent.formId);
    if (!form) return { kind: 'absent' };
    if (form.status === 'paused') return { kind: 'paused', form };
    // Against the form as it is now: what its owner has changed since the page was shown counts.
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
