/** A submission: a form's values as a visitor sent them. */
import { prefixedIds } from '#shared/ids.ts';

export const submissionIds = prefixedIds('subm');

/** The origin of a submission. */
export interface Sender {
  ip: string;
  /** At most 512 characters. */
  userAgent: string;
  /** The visitor's referrer when opening the form. At most 2,000 characters. */
  referrer: string;
}

export interface NewSubmission extends Sender {
  formId: string;
  /** Of the page that was sent. */
  nonce: Buffer;
  /** By field id. */
  values: Readonly<Record<string, string>>;
}

export interface Submission extends Sender {
  id: string;
  /** Grows with every submission of the form. */
  seq: string;
  values: Readonly<Record<string, string>>;
  createdAt: Date;
}
