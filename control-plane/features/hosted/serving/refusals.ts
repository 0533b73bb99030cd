/** What is answered in place of a page. */
import { z } from 'zod';
import { theme } from '#schemas/api/blocks.ts';
import { ClientError, errorBody } from '#shared/errors.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { ErrorPage } from '../../../http/error-page.ts';
import type { PublicRequest, Reply } from '../../../http/operation.ts';
import type { HostedKind, HostedPage } from '../hosted-page.ts';
import { acceptedLanguage, detectLanguage, statusOfError, statusPage } from '../layout/index.ts';
import type { PageDocument } from '../page-kind.ts';

const nouns: Readonly<Record<HostedKind, string>> = {
  landing_page: 'landing page',
  form: 'form',
  menu: 'menu',
};

/** Also of a deleted page. */
export const unknownPage = (kind: HostedKind): ClientError =>
  new ClientError('NOT_FOUND', `There is no ${nouns[kind]} with this id`);

/** The page of every refusal at the path of a hosted page, in the visitor's language. */
export const errorPage: ErrorPage = ({ code, header }) =>
  statusPage(statusOfError(code), { language: acceptedLanguage(header('accept-language')) });

/** Letters and a space: no URL, no colour, no id. */
const isText = (value: string): boolean => /\p{L}\s+\p{L}/u.test(value);

/** Texts that are looked at for the language of a page. */
const textsMax = 50;

/** The texts of an owner, wherever in the content they are. */
const textsOf = (content: unknown): { texts: string[]; names: string[] } => {
  const [texts, names]: [string[], string[]] = [[], []];
  JSON.stringify(content, (key, value: unknown) => {
    const found = key === 'name' ? names : texts;
    if (typeof value === 'string' && found.length < textsMax && isText(value)) found.push(value);
    return value;
  });
  return { texts, names };
};

const themed = z.object({ theme }).partial();

/** A paused page says so in its own colours and language. */
const pausedPage = ({ content }: HostedPage): PageDocument => {
  const { data } = themed.safeParse(content);
  const { texts, names } = textsOf(content);
  return statusPage('paused', {
    language: detectLanguage(texts, names),
    ...(data?.theme && { theme: data.theme }),
  });
};

/** The 404 of a paused page, which says that it is paused. */
export const pausedReply = (
  page: HostedPage,
  request: Pick<PublicRequest<unknown, unknown>, 'header'>,
): Reply => {
  const headers = { vary: 'Accept' };
  if (!wantsPage(request.header('accept')))
    return { status: 404, headers, body: errorBody('NOT_FOUND', `The ${nouns[page.kind]} is paused`) };
  const { html, contentSecurityPolicy } = pausedPage(page);
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
