/** Requests for a part of a file, and for a file that the client may have already: RFC 9110, sections 13 and 14. */

import type { ByteRange } from '../creation/file-body.ts';
import { listsTag } from './entity-tags.ts';

/** What is known of a file, and the headers of a request for it; those that are missing are empty. */
export interface FileRequest {
  size: number;
  /** A strong entity tag. */
  etag: string;
  method: string;
  header(name: 'range' | 'if-range' | 'if-match' | 'if-none-match'): string;
}

export type FileAnswer = 'whole' | 'not-modified' | 'precondition-failed' | 'not-satisfiable' | ByteRange;

/** A number that a file has no use for is as good as any larger one. */
const numberOf = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/** One range of bytes (14.1.2); several at once, other units, and what is malformed are as if nothing were asked for. */
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

/** What is answered, in the order of section 13.2.2. A date in If-Range matches nothing: the files have none. */
export const answerFor = ({ size, etag, method, header }: FileRequest): FileAnswer => {
  const [ifMatch, ifNoneMatch, ifRange] = [header('if-match'), header('if-none-match'), header('if-range')];
  if (ifMatch !== '' && !listsTag(ifMatch, etag, false)) return 'precondition-failed';
  if (ifNoneMatch !== '' && listsTag(ifNoneMatch, etag, true)) return 'not-modified';
  if (method !== 'GET' || (ifRange !== '' && ifRange.trim() !== etag)) return 'whole';
  return rangeOf(header('range'), size);
};
