/**
 * The answer to an INSERT: whether it proves that the rows are stored. A 2xx does not: a proxy may answer for itself,
 * and ClickHouse takes a truncated compressed body for a complete one, which may leave no rows at all.
 *
 * X-ClickHouse-Summary says how much was read. It is final, because the INSERT is sent with `wait_end_of_query`.
 * `read_rows` counts the rows of the body, even if the INSERT is a duplicate and not stored again. From 22.8 on
 * ClickHouse adds the rows that each view reads (https://github.com/ClickHouse/ClickHouse/pull/41586 and its test
 * 02423_insert_summary_behaviour): with the two views of `scans` that is three times the rows, the view of the days adds
 * some, and an operator's views add more. So fewer rows than were sent prove that some are missing; more prove
 * nothing. `written_rows` also counts the rows of views, and their number varies.
 */
import { addAbortSignal, type Readable } from 'node:stream';
import { type ClickHouseClient, parseError } from '@clickhouse/client';

/** As the client returns it with `ignore_error_response`. */
type Answer = Awaited<ReturnType<ClickHouseClient['exec']>> & { stream: Readable };

/** ClickHouse's errors are shorter, and the answer to an INSERT is empty. */
const textBytesMax = 16 * 2 ** 10;
/** Length of an excerpt in the log. */
const excerptCharsMax = 200;

/** An answer that is neither an error of ClickHouse nor proof that the rows are stored. */
export class InsertAnswerError extends Error {
  override name = 'InsertAnswerError';
  readonly status: number;
  /** Whether ClickHouse answered and read fewer rows than were sent. */
  readonly readTooFew: boolean;
  constructor(message: string, status: number, readTooFew = false) {
    super(message);
    this.status = status;
    this.readTooFew = readTooFew;
  }
}

/** Reads to the end or up to the limit, then closes the connection. */
const readText = async (stream: Readable, signal: AbortSignal): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > textBytesMax) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, textBytesMax);
};

/**
 * Resolves if the answer says that all rows of the INSERT are stored.
 * @throws {ClickHouseError} if the answer is one
 * @throws {InsertAnswerError} if it says anything else
 * @throws if it does not end in time
 */
export const checkAnswer = async (
  { stream, summary, response_headers, http_status_code: status = 0 }: Answer,
  rows: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const text = await readText(stream, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  const excerpt = text === '' ? 'nothing' : JSON.stringify(text.slice(0, excerptCharsMax));
  if (status < 200 || status > 299 || response_headers['x-clickhouse-exception-code'] !== undefined) {
    const error = parseError(text);
    if (error.constructor !== Error) throw error;
    throw new InsertAnswerError(`the INSERT was answered with HTTP ${status} and ${excerpt}`, status);
  }
  const readRows = Number(summary?.read_rows ?? Number.NaN);
  if (!Number.isSafeInteger(readRows) || text !== '') {
    throw new InsertAnswerError(
      `the INSERT was answered with HTTP ${status} and ${excerpt}: ClickHouse's answer has the header X-ClickHouse-Summary with read_rows, and no body`,
      status,
    );
  }
  if (readRows < rows) {
    throw new InsertAnswerError(`ClickHouse has read ${readRows} rows of ${rows}`, status, true);
  }
};
