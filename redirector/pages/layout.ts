/** The redirector's pages: the shell of all pages, their headers, and JSON for programs. */
import { html } from 'hono/html';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Language } from '#shared/languages.ts';
import { readStyle } from '#shared/pages/assets.ts';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import { renderShell, type ShellParts } from '#shared/pages/shell.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { type Brand, brandBar, codeName, type ShownText } from './brand.ts';
import type { Page } from './page.ts';

export type PageHeaders = readonly (readonly [name: string, value: string])[];

/** What a page is about, as far as it is known. */
export interface About {
  /** The code that was scanned. */
  codeId?: string | undefined;
  /** The owner's domain, if the page is shown there. */
  host?: string | undefined;
  /** The owner's words for this code. */
  messages?: CodeRecord['messages'] | undefined;
  /** Its owner's. Undefined: a neutral page. */
  brand?: Brand | undefined;
}

export interface PageContent {
  icon: keyof typeof icons;
  title: ShownText;
  /** The title of the window, if it differs from the title of the page. */
  windowTitle?: string;
  lead?: ShownText | undefined;
  /** Below title and lead. */
  body?: Html;
  /** Whether the page is only a message. */
  isMessage?: boolean;
}

export type PageOptions = Pick<ShellParts, 'script' | 'data' | 'formAction'> & {
  language: Language;
  about?: About | undefined;
  /** In addition to the headers of every page. */
  headers?: PageHeaders;
};

const style = readStyle(new URL('./browser/page.css', import.meta.url));

/** Without Vary, which depends on how the answer is chosen. */
export const commonHeaders: PageHeaders = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Robots-Tag', 'noindex'],
];

const varying = ['Vary', 'Accept, Accept-Language'] as const;

/** An owner's text has its own language; our text has the page's. */
const lang = ({ language }: ShownText): Html | undefined =>
  language === undefined ? undefined : html` lang="${language}"`;

const footOf = ({ codeId, host }: About, words: Words): Html | undefined =>
  codeId === undefined && host === undefined
    ? undefined
    : html`<footer class="foot">${codeId !== undefined && codeName(codeId, words)}${
        host !== undefined && html` <bdi dir="ltr">${host}</bdi>`
      }</footer>
`;

const bodyOf = ({ icon, title, lead, body, isMessage }: PageContent, about: About, words: Words): Html =>
  html`${about.brand && brandBar(about.brand)}<main class="page ${isMessage ? 'message' : 'narrow'}">
<header class="top">
<span class="mark">${icons[icon]}</span>
<h1 dir="auto"${lang(title)}>${title.text}</h1>
${
  lead &&
  html`<p class="sub" dir="auto"${lang(lead)}>${lead.text}</p>
`
}</header>
${body}
</main>
${footOf(about, words)}`;

/** A page about a scan. @param status such as `200 OK` */
export const renderScanPage = (status: string, content: PageContent, options: PageOptions): Page => {
  const { language, about = {}, headers = [], ...shell } = options;
  const { html: text, contentSecurityPolicy } = renderShell({
    ...shell,
    language,
    theme: about.brand?.theme ?? {},
    title: content.windowTitle ?? content.title.text,
    ...(content.windowTitle === undefined && { titleLanguage: content.title.language }),
    body: bodyOf(content, about, wordsOf[language]),
    styles: [style],
  });
  return pageWith(status, text, contentSecurityPolicy, language, headers);
};

/** A rendered page with its headers. */
export const pageWith = (
  status: string,
  text: string,
  contentSecurityPolicy: string,
  language: Language,
  headers: PageHeaders,
): Page => ({
  status,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Language', language],
    ['Content-Security-Policy', contentSecurityPolicy],
    varying,
    ...commonHeaders,
    ...headers,
  ],
  body: Buffer.from(text),
});

/** For people only: programs get another answer. @param location absolute and ASCII */
export const redirectPage = (location: string): Page => ({
  status: '302 Found',
  headers: [['Location', location], varying, ...commonHeaders],
  body: Buffer.alloc(0),
});

/** The answer for programs. */
export const jsonPage = (status: string, value: unknown, headers: PageHeaders = []): Page => ({
  status,
  headers: [['Content-Type', 'application/json; charset=utf-8'], varying, ...commonHeaders, ...headers],
  body: Buffer.from(JSON.stringify(value)),
});
