/** The answer to one request for a document. */

import { listsTag } from '../../../http/entity-tags.ts';
import type { PublicRequest, Reply } from '../../../http/operation.ts';
import { type ServedDocument, tagOf } from './documents.ts';

/** @param fill takes the place of the document's marker */
export const answerPage = (
  { tag, contentSecurityPolicy, head, tail }: ServedDocument,
  fill: string | undefined,
  { header }: Pick<PublicRequest<unknown, unknown>, 'header'>,
): Reply => {
  const filled = tail && fill !== undefined ? { fill: Buffer.from(fill), tail } : undefined;
  // A weak one: it names the page, in whatever encoding it is sent.
  const etag = `W/"${filled ? `${tag}-${tagOf(filled.fill)}` : tag}"`;
  const headers = {
    etag,
    // A 304 replaces the headers that the browser has, this one, too.
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
  };
  if (listsTag(header('if-none-match'), etag, true)) return { status: 304, headers };
  const body = filled
    ? Buffer.concat([head, filled.fill, filled.tail])
    : tail
      ? Buffer.concat([head, tail])
      : head;
  return { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body };
};
