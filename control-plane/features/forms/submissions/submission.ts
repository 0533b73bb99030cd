/** A submission: what a visitor has sent by a form. */
import { prefixedIds } from '#shared/ids.ts';

export const submissionIds = prefixedIds('subm');

/** From where a form was sent. */
export interface Sender {
  ip: string;
  /** At most 512 characters. */
  userAgent: string;
  /** Where the visitor came from to the form. At most 2,000 characters. */
  referrer: string;
}

export interface NewSubmission extends Sender {
  formId: string;
  /** Of the page that was sent. */
  nonce: Buffer;
  /** By the id of the field. */
  values: Readonly<Record<string, string>>;
}

export interface Submission extends Sender {
  id: string;
  /** Grows with every submission of the form. */
  seq: string;
  values: Readonly<Record<string, string>>;
  createdAt: Date;
}
