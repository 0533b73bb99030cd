/** The answer of the list: JSON that is written while it is sent. */
import type { SubmissionObject } from '#schemas/api/submissions.ts';
import type { Submission } from './submission.ts';

export const toSubmissionObject = ({ id, values, createdAt, ...sender }: Submission): SubmissionObject => ({
  submissionId: id,
  values: { ...values },
  ip: sender.ip,
  userAgent: sender.userAgent,
  referrer: sender.referrer,
  createdAt: createdAt.getTime(),
});

/** @param form its object, as JSON shows it */
export async function* submissionsJson(
  form: object,
  pages: AsyncIterable<readonly Submission[]>,
): AsyncGenerator<string> {
  let start = `{"form":${JSON.stringify(form)},"submissions":[`;
  for await (const page of pages) {
    yield start + page.map((submission) => JSON.stringify(toSubmissionObject(submission))).join(',');
    start = ',';
  }
  yield start === ',' ? ']}' : `${start}]}`;
}
