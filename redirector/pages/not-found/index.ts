/**
 * The 404 page of a domain, in its owner's look. The owner's texts, whatever they are, are shown as text; a logo or a
 * link with a scheme that pages may not have is left out.
 */
import { html, raw } from 'hono/html';
import { LRUCache } from 'lru-cache';
import type { DomainDocument } from '#schemas/documents.ts';
import { errorBody } from '#shared/errors.ts';
import { directionOf, type Language } from '#shared/languages.ts';
import type { Answer } from '../answers.ts';
import { readStyle } from '../assets.ts';
import { jsonPage } from '../layout.ts';
import { shownText } from '../owner-text.ts';
import type { Page } from '../page.ts';
import { commonHeaders, policyOf } from '../page-headers.ts';
import { wordsOf } from './texts.ts';
import { themeStyle } from './theme.ts';

export type NotFoundDomain = Pick<DomainDocument, 'id' | 'version' | 'domain' | 'notFound'>;

export interface NotFoundPages {
  /** 404: a page in the visitor's language for browsers, JSON for programs. Never throws. */
  answer(domain: NotFoundDomain, language: Language): Answer;
}

/** The most requested domains and languages. Most pages have 5 kB, none more than 12 kB. */
const pagesMax = 500;

/** In characters; longer texts are cut. */
const headlineLengthMax = 120;
const bodyLengthMax = 1000;
const urlLengthMax = 2000;

const status = '404 Not Found';
const style = readStyle('not-found.css');
const json = jsonPage(status, errorBody('NOT_FOUND', 'There is nothing at this address'));

/** Keeps lines, for a style sheet that shows them. */
const linesOf = (text: string | undefined): string | undefined =>
  text
    ?.slice(0, bodyLengthMax)
    .split('\n')
    .map((line) => shownText(line) ?? '')
    .join('\n')
    .trim() || undefined;

/** @param schemes such as `https:` */
const webUrl = (text: string | undefined, ...schemes: string[]): URL | undefined => {
  const url = text === undefined || text.length > urlLengthMax ? null : URL.parse(text);
  return url && schemes.includes(url.protocol) ? url : undefined;
};

const homeLink = (url: URL | undefined, label: string) => {
  if (url === undefined) return '';
  const [before, after] = label.split('{host}');
  return html`<a href="${url.href}" rel="noreferrer">${before}<bdi dir="ltr">${url.host}</bdi>${after}</a>
`;
};

/**
 * The owner's text has its own language, or an empty attribute if that is unknown; our text has the page's language.
 */
const inLanguage = (own: string | undefined, language: string | undefined, ours: string) =>
  own === undefined ? { text: ours, lang: '' } : { text: own, lang: html` lang="${language ?? ''}"` };

const render = ({ domain, notFound = {} }: NotFoundDomain, language: Language): Page => {
  const words = wordsOf[language];
  const ownHeadline = shownText(notFound.headline?.slice(0, headlineLengthMax));
  const headline = inLanguage(ownHeadline, notFound.language, words.headline);
  const text = inLanguage(linesOf(notFound.body), notFound.language, words.body);
  const logo = webUrl(notFound.logoUrl, 'https:');
  const ownStyle = themeStyle(notFound.theme ?? {}) + style;
  const body = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no">
<title${headline.lang}>${headline.text}</title>
<style>${raw(ownStyle)}</style>
</head>
<body>
<main>
${logo && html`<img src="${logo.href}" alt="" referrerpolicy="no-referrer">`}
<h1 dir="auto"${headline.lang}>${headline.text}</h1>
<p dir="auto"${text.lang}>${text.text}</p>
${homeLink(webUrl(notFound.homeUrl, 'https:', 'http:'), words.home)}</main>
<footer><bdi dir="ltr">${domain}</bdi></footer>
</body>
</html>
`;
  const policy = policyOf({ style: ownStyle, imageSource: logo?.origin, formAction: "'none'" });
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Language', language],
      ['Content-Security-Policy', policy],
      ['Vary', 'Accept, Accept-Language'],
      ...commonHeaders,
    ],
    body: Buffer.from(String(body)),
  };
};

export const createNotFoundPages = (): NotFoundPages => {
  const pages = new LRUCache<string, Page>({ max: pagesMax });
  return {
    answer(domain, language) {
      const key = `${domain.id} ${domain.version} ${language}`;
      let page = pages.get(key);
      if (page === undefined) {
        page = render(domain, language);
        pages.set(key, page);
      }
      return { page, json };
    },
  };
};
