/** What is answered in place of a page. */
import type { Social, Theme } from '#schemas/api/blocks.ts';
import type { HostedKind } from '#schemas/page-document.ts';
import { pausedPageMessage, unknownPageMessage } from '#schemas/page-document.ts';
import { ClientError, errorBody } from '#shared/errors.ts';
import { acceptedLanguage, type Language } from '#shared/languages.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { ErrorPage } from '../../../api/http/error-page.ts';
import type { PublicRequest, Reply } from '../../../api/http/operation.ts';
import type { HostedPage } from '../hosted-page.ts';
import { type Status, statusOfError, statusPage } from '../layout/index.ts';

/** Also of a deleted page. */
export const unknownPage = (kind: HostedKind): ClientError =>
  new ClientError('NOT_FOUND', unknownPageMessage(kind));

/** The page of every refusal at the path of a hosted page, in the visitor's language. */
export const errorPage: ErrorPage = ({ code, header }) =>
  statusPage(statusOfError(code), { language: acceptedLanguage(header('accept-language')) });

/** What a paused page still shows, as pages of all kinds have it. */
interface OwnerContent {
  headline?: string;
  logoUrl?: string;
  avatarUrl?: string;
  socials?: readonly Social[];
  theme?: Theme;
}

const pausedStatus: Readonly<Record<HostedKind, Status>> = {
  landing_page: 'paused',
  form: 'pausedForm',
  menu: 'pausedMenu',
};

/**
 * A paused page says so below its name, in its own colours, with its logo and profiles. Nothing else of its content is
 * shown.
 */
export const pausedPage = (page: HostedPage, language: Language): RenderedPage => {
  const { kind, name } = page;
  const { headline = name, logoUrl, avatarUrl, socials, theme } = page.content as OwnerContent;
  return statusPage(pausedStatus[kind], {
    language,
    ...(theme && { theme }),
    owner: { name: headline, logoUrl, avatarUrl, socials, hasMonogram: kind === 'landing_page' },
  });
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
