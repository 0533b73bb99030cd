/** ClickHouse's errors as its HTTP interface shows them: a code, a message and an HTTP status. */
import { messageOf } from '#shared/errors.ts';

/** The status for a code; 500 for all others (ClickHouse, src/Server/HTTPHandler.cpp). */
const statusOfCode: Record<number, number> = {
  6: 400, // CANNOT_PARSE_TEXT
  16: 404, // NO_SUCH_COLUMN_IN_TABLE
  27: 400, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  36: 400, // BAD_ARGUMENTS
  41: 400, // CANNOT_PARSE_DATETIME
  43: 400, // ILLEGAL_TYPE_OF_ARGUMENT
  44: 400, // ILLEGAL_COLUMN
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  53: 400, // TYPE_MISMATCH
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  159: 408, // TIMEOUT_EXCEEDED
  202: 503, // TOO_MANY_SIMULTANEOUS_QUERIES
  456: 400, // UNKNOWN_QUERY_PARAMETER
  457: 400, // BAD_QUERY_PARAMETER
  497: 403, // ACCESS_DENIED
  516: 403, // AUTHENTICATION_FAILED
};

/** An error in ClickHouse's format, so that a client finds its code and name. */
export const clickHouseError = (code: number, name: string, message: string): Error =>
  new Error(`Code: ${code}. DB::Exception: ${message}. (${name})`);

export interface ErrorReply {
  status: number;
  code: number;
  text: string;
}

/** @param version shown at the end of the message, as the server does */
export const errorReply = (error: unknown, version: string): ErrorReply => {
  const raw = messageOf(error)
    .replace(/^Query failed: /, '')
    .trim();
  const code = Number(/Code: (\d+)/.exec(raw)?.[1] ?? 1002);
  const text = /Code: \d+/.test(raw) ? raw : `Code: 1002. DB::Exception: ${raw}. (UNKNOWN_EXCEPTION)`;
  return { status: statusOfCode[code] ?? 500, code, text: `${text} (version ${version} (chdb))\n` };
};
