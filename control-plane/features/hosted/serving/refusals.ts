/** What is answered in place of a page. */
import { ClientError, type ErrorCode, errorBody } from '#shared/errors.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { ErrorPage } from '../../../http/error-page.ts';
import type { PublicRequest, Reply } from '../../../http/operation.ts';
import type { HostedKind } from '../hosted-page.ts';
import { type Shown, statusPage } from './status-pages.ts';

const nouns: Readonly<Record<HostedKind, string>> = {
  landing_page: 'landing page',
  form: 'form',
  menu: 'menu',
};

/** Also of a deleted page. */
export const unknownPage = (kind: HostedKind): ClientError =>
  new ClientError('NOT_FOUND', `There is no ${nouns[kind]} with this id`);

const shownFor: Partial<Record<ErrorCode, Shown>> = {
  NOT_FOUND: 'unknown',
  RATE_LIMITED: 'limited',
  UNAVAILABLE: 'unavailable',
  INTERNAL: 'failed',
};

/** The page of every refusal at the path of a hosted page. */
export const errorPage: ErrorPage = ({ code }) => statusPage(shownFor[code] ?? 'refused');

/** The 404 of a paused page, which says that it is paused. */
export const pausedReply = (
  kind: HostedKind,
  request: Pick<PublicRequest<unknown, unknown>, 'header'>,
): Reply => {
  const headers = { vary: 'Accept' };
  if (!wantsPage(request.header('accept')))
    return { status: 404, headers, body: errorBody('NOT_FOUND', `The ${nouns[kind]} is paused`) };
  const { html, contentSecurityPolicy } = statusPage('paused');
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
