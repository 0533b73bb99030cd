/** The GS1 resolver's answers without a redirect: a page for people, JSON for programs. */
import { html } from 'hono/html';
import { errorBody } from '#shared/errors.ts';
import type { Language } from '#shared/languages.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { quoted } from '#shared/quoted.ts';
import { type Answer, createAnswer } from './answers.ts';
import { type About, jsonPage, renderScanPage } from './layout.ts';
import { shownText } from './owner-text.ts';
import type { Page } from './page.ts';

export const gs1Answers = {
  unknown: createAnswer({
    code: 'NOT_FOUND',
    message: 'noProduct',
    icon: 'product',
    error: 'There are no links at this GS1 Digital Link',
  }),
  scanUnit: createAnswer({
    code: 'NOT_FOUND',
    message: 'scanUnit',
    icon: 'product',
    error: 'There are no links at this GS1 Digital Link: its units are verified one by one',
  }),
  limited: createAnswer({
    code: 'RATE_LIMITED',
    message: 'tooManyScans',
    icon: 'clock',
    error: 'Too many requests from this address',
  }),
  unavailable: createAnswer({
    code: 'UNAVAILABLE',
    message: 'unavailable',
    icon: 'clock',
    error: 'The links cannot be looked up at the moment',
  }),
  methodNotAllowed: createAnswer({
    code: 'METHOD_NOT_ALLOWED',
    message: 'badMethod',
    icon: 'lost',
    error: 'Only GET, HEAD and OPTIONS are allowed',
  }),
} satisfies Record<string, Answer>;

const unknownType = createAnswer({ code: 'NOT_FOUND', message: 'noSuchLink', icon: 'product', error: '' });

/** @param asked the requested link types */
export const unknownLinkType = (asked: readonly string[]): Answer => ({
  ...unknownType,
  json: jsonPage(
    '404 Not Found',
    errorBody(
      'NOT_FOUND',
      `There is no link of the type ${quoted(asked.join(', '))} at this GS1 Digital Link; a type is written as gs1:pip, and ` +
        '?linkType=linkset lists the links that there are',
    ),
  ),
});

const invalid = createAnswer({ code: 'INVALID_REQUEST', message: 'badProduct', icon: 'lost', error: '' });

/** @param message the fault in GS1's terms, for programs and the people who make codes: people with a phone do not see it */
export const invalidLink = (message: string): Answer => ({
  ...invalid,
  json: jsonPage('400 Bad Request', errorBody('INVALID_REQUEST', message)),
});

export interface ProductLink {
  title: string;
  /** `https:` or `http:`, or of another scheme that owners may link to. */
  href: string;
  /** BCP 47, of the title. */
  hreflang?: readonly string[] | undefined;
}

/** The list of all links for people: the product's description, and a button for each link. */
export const productLinksPage = (
  description: string,
  links: readonly ProductLink[],
  language: Language,
  about: About,
): Page => {
  const title = shownText(description);
  const buttons = links.map(
    ({ title: label, href, hreflang }, index) =>
      html`<a class="button${index === 0 && html` primary`}" href="${href}" rel="noreferrer"><span dir="auto" lang="${hreflang?.[0] ?? ''}">${shownText(label) ?? href}</span></a>
`,
  );
  return renderScanPage(
    '200 OK',
    {
      icon: 'product',
      title:
        title === undefined ? { text: wordsOf[language].scan.productLinks } : { text: title, language: '' },
      ...(title !== undefined && { lead: { text: wordsOf[language].scan.productLinks } }),
      body: html`<div class="ways">${buttons}</div>`,
    },
    { language, about },
  );
};
