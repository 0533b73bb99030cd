/** The answer of the list: JSON that is written while it is sent. */
import type { SubmissionObject } from '#schemas/api/submissions.ts';
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import type { Submission } from './submission.ts';

export const toSubmissionObject = ({ id, values, createdAt, ...sender }: Submission): SubmissionObject => ({
  submissionId: id,
  values: { ...values },
  ip: sender.ip,
  userAgent: sender.userAgent,
  referrer: sender.referrer,
  createdAt: createdAt.getTime(),
});

/** @param form as JSON @param stored bytes of all submissions of the workspace */
export async function* submissionsJson(
  form: object,
  stored: { storedBytes: number; storedBytesMax: number },
  pages: AsyncIterable<readonly Submission[]>,
): AsyncGenerator<Piece> {
  let start = `${JSON.stringify({ form, ...stored }).slice(0, -1)},"submissions":[`;
  const textOf = (submissions: readonly Submission[]): string => {
    const text = start + submissions.map((each) => JSON.stringify(toSubmissionObject(each))).join(',');
    start = ',';
    return text;
  };
  for await (const page of pages) yield* inPieces(page, textOf);
  yield () => (start === ',' ? ']}' : `${start}]}`);
}
