/** The path of an entry: a GS1 Digital Link, in its canonical form. */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { parseDigitalLink } from '#shared/gs1/digital-link/parse.ts';
import { Gs1Error } from '#shared/gs1/gs1-error.ts';
import { quoted } from '#shared/quoted.ts';

export interface EntryPath {
  /** `/01/09506000134352/10/ABC` */
  path: string;
  /** `01/09506000134352` */
  key: string;
}

const expectation = 'must be a GS1 Digital Link path such as /01/09506000134352';

const refusal = (code: ErrorCode, field: string, why: string, given: string): ClientError =>
  new ClientError(code, `${field} ${expectation}: ${why}; given: ${quoted(given)}`);

/**
 * @param field of the request, for errors
 * @param given a path; a GTIN in it may have 8, 12, 13 or 14 digits
 * @throws {ClientError} `code`, in the words of GS1
 */
export const readEntryPath = (field: string, given: string, code: ErrorCode = 'UNPROCESSABLE'): EntryPath => {
  if (!given.startsWith('/')) throw refusal(code, field, 'it must begin with /', given);
  const link = parseDigitalLink(given, { isLenient: true });
  if (link instanceof Gs1Error) throw refusal(code, field, String(link), given);
  if (link.stem !== '') throw refusal(code, field, 'it must begin with the primary key', given);
  if (/[?#]/.test(given)) throw refusal(code, field, 'it must have no query and no fragment', given);
  return { path: link.levels[0]!, key: link.levels.at(-1)!.slice(1) };
};
