/** The answer to one request for a document. */
import { listsTag } from '../../../http/entity-tags.ts';
import type { PublicRequest, Reply } from '../../../http/operation.ts';
import type { ServedDocument } from './documents.ts';

/** @param fill takes the place of the document's marker */
export const answerPage = async (
  document: ServedDocument,
  fill: string,
  { header }: Pick<PublicRequest<unknown, unknown>, 'header'>,
): Promise<Reply> => {
  // A weak one: it names the page, in whatever encoding it is sent.
  const etag = `W/"${document.tagOf(fill)}"`;
  const headers = {
    etag,
    // The headers of a 304 take the place of those that the browser has, the policy's, too.
    'content-security-policy': document.contentSecurityPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
  };
  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== '' && listsTag(ifNoneMatch, etag, true)) return { status: 304, headers };
  const { parts, encoding } = await document.bodyOf(header('accept-encoding'), fill);
  return {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      ...(encoding && { 'content-encoding': encoding }),
    },
    parts,
  };
};
