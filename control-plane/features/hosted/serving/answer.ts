/** The answer to one request for a page. */
import { listsTag } from '#shared/entity-tags.ts';
import type { PublicRequest, Reply } from '../../../api/http/operation.ts';
import type { ServedPage } from './served-page.ts';

export interface AnswerOptions {
  /** Takes the place of the page's marker. */
  fill: string;
  /** The headers of requests that the page depends on (RFC 9110, section 12.5.5). */
  vary: string;
}

export const answerPage = async (
  page: ServedPage,
  { fill, vary }: AnswerOptions,
  { header }: Pick<PublicRequest<unknown, unknown>, 'header'>,
): Promise<Reply> => {
  // A weak one: it names the page, in whatever encoding it is sent.
  const etag = `W/"${page.tagOf(fill)}"`;
  const headers = {
    etag,
    // The headers of a 304, also the policy, take the place of the browser's.
    'content-security-policy': page.contentSecurityPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-cache',
    vary,
  };
  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== '' && listsTag(ifNoneMatch, etag, true)) return { status: 304, headers };
  const { parts, encoding } = await page.bodyOf(header('accept-encoding'), fill);
  return {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      ...(encoding && { 'content-encoding': encoding }),
    },
    parts,
  };
};
