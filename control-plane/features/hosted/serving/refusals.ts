/** What is answered in place of a page. */
import { z } from 'zod';
import { theme } from '#schemas/api/blocks.ts';
import type { HostedKind } from '#schemas/page-document.ts';
import { pausedPageMessage, unknownPageMessage } from '#schemas/page-document.ts';
import { ClientError, errorBody } from '#shared/errors.ts';
import { acceptedLanguage, type Language } from '#shared/languages.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { ErrorPage } from '../../../api/http/error-page.ts';
import type { PublicRequest, Reply } from '../../../api/http/operation.ts';
import type { HostedPage } from '../hosted-page.ts';
import { statusOfError, statusPage } from '../layout/index.ts';

/** Also of a deleted page. */
export const unknownPage = (kind: HostedKind): ClientError =>
  new ClientError('NOT_FOUND', unknownPageMessage(kind));

/** The page of every refusal at the path of a hosted page, in the visitor's language. */
export const errorPage: ErrorPage = ({ code, header }) =>
  statusPage(statusOfError(code), { language: acceptedLanguage(header('accept-language')) });

const themed = z.object({ theme }).partial();

/** A paused page says so in its own colours. */
export const pausedPage = ({ content }: HostedPage, language: Language): RenderedPage => {
  const { data } = themed.safeParse(content);
  return statusPage('paused', { language, ...(data?.theme && { theme: data.theme }) });
};

/** The 404 of a paused page, which says that it is paused. @param language of its texts; undefined: the visitor's */
export const pausedReply = (
  page: HostedPage,
  language: Language | undefined,
  request: Pick<PublicRequest<unknown, unknown>, 'header'>,
): Reply => {
  const headers = { vary: 'Accept, Accept-Language' };
  if (!wantsPage(request.header('accept')))
    return { status: 404, headers, body: errorBody('NOT_FOUND', pausedPageMessage(page.kind)) };
  const { html, contentSecurityPolicy } = pausedPage(
    page,
    language ?? acceptedLanguage(request.header('accept-language')),
  );
  return {
    status: 404,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
    },
    body: Buffer.from(html),
  };
};
