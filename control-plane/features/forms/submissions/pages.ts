/**
 * The submissions of a form, newest first, page by page, at the reader's pace. Each page is one statement, and no
 * transaction stays open in between: a slow reader holds nothing in the database. Every submission that existed when
 * the first page was read comes once, except ones purged meanwhile.
 */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Submission } from './submission.ts';

/**
 * Submissions are small, or have 50 fields of 8,000 characters: pages are bounded by rows and bytes, and the first
 * ones are small.
 */
const rowsMaxFirst = 50;
const rowsMax = 500;
const bytesMax = 2 ** 19;

const readPage = async (
  db: Queryable,
  formId: string,
  beforeSeq: string | null,
  rowsLimit: number,
): Promise<Submission[]> => {
  const { rows } = await db.query<Submission>({
    name: 'submissions-page',
    text: `WITH unpurged AS (
             SELECT seq, id, field_values, value_bytes, ip, user_agent, referrer, created_at FROM form_submissions
             WHERE form_id = $1 AND ($2::bigint IS NULL OR seq < $2)
               AND seq > (SELECT purged_seq FROM form_submission_counts WHERE form_id = $1)
             ORDER BY seq DESC LIMIT $3
           ), sized AS (
             SELECT *, sum(value_bytes) OVER (ORDER BY seq DESC) - value_bytes AS bytes_before FROM unpurged
           )
           SELECT id, seq, field_values AS "values", ip, user_agent AS "userAgent", referrer, created_at AS "createdAt"
           FROM sized WHERE bytes_before <= $4 ORDER BY seq DESC`,
    values: [formId, beforeSeq, rowsLimit, bytesMax],
  });
  return rows;
};

export async function* submissionPages(db: Queryable, formId: string): AsyncGenerator<Submission[]> {
  let beforeSeq: string | null = null;
  let rows = rowsMaxFirst;
  for (;;) {
    const page: Submission[] = await readPage(db, formId, beforeSeq, rows);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    beforeSeq = last.seq;
    rows = Math.min(rowsMax, page.length * 2);
  }
}
