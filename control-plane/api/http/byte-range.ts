/** Range requests and conditional requests for a file: RFC 9110, sections 13 and 14. */

import { listsTag } from '#shared/entity-tags.ts';
import type { ByteRange } from '../idempotency/file-body.ts';

/** A file, and the headers of a request for it; a missing header is empty. */
export interface FileRequest {
  size: number;
  /** A strong entity tag. */
  etag: string;
  method: string;
  header(name: 'range' | 'if-range' | 'if-match' | 'if-none-match'): string;
}

export type FileAnswer = 'whole' | 'not-modified' | 'precondition-failed' | 'not-satisfiable' | ByteRange;

/** Numbers above the safe integers are clamped: no file is that large. */
const numberOf = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/** One byte range (14.1.2). Several ranges, other units and malformed ones are ignored, so the whole file is sent. */
const rangeOf = (header: string, size: number): ByteRange | 'whole' | 'not-satisfiable' => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Math.min(numberOf(last), size);
    return count === 0 ? 'not-satisfiable' : { first: size - count, last: size - 1 };
  }
  if (last !== '' && numberOf(last) < numberOf(first)) return 'whole';
  if (numberOf(first) >= size) return 'not-satisfiable';
  return { first: numberOf(first), last: last === '' ? size - 1 : Math.min(numberOf(last), size - 1) };
};

/** Preconditions in the order of section 13.2.2. A date in If-Range never matches: the files have no dates. */
export const answerFor = ({ size, etag, method, header }: FileRequest): FileAnswer => {
  const [ifMatch, ifNoneMatch, ifRange] = [header('if-match'), header('if-none-match'), header('if-range')];
  if (ifMatch !== '' && !listsTag(ifMatch, etag, false)) return 'precondition-failed';
  if (ifNoneMatch !== '' && listsTag(ifNoneMatch, etag, true)) return 'not-modified';
  if (method !== 'GET' || (ifRange !== '' && ifRange.trim() !== etag)) return 'whole';
  return rangeOf(header('range'), size);
};
