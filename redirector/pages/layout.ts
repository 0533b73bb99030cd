/**
 * The common parts of all pages: one layout, one style sheet, and a policy that lets nothing else run, load or connect.
 * A page is one response of at most 15 KB plus its own content.
 */
import { html, raw } from 'hono/html';
import { readStyle } from './assets.ts';
import { icons } from './icons.ts';
import type { Page } from './page.ts';
import { commonHeaders, type PageHeaders, policyOf } from './page-headers.ts';

export type Html = ReturnType<typeof html>;

export interface PageContent {
  icon: keyof typeof icons;
  title: string;
  /** The title of the window, if it differs from the title of the page. */
  windowTitle?: string;
  lead?: string | Html;
  /** Below title and lead. */
  body?: Html;
}

export interface PageKind {
  /** The text of the page's script. */
  script?: string;
  /** Sources of CSP's form-action; by default no form may be sent. */
  formAction?: string;
  /** In addition to the headers of every page. */
  headers?: PageHeaders;
}

const style = readStyle('page.css');

const varying = [['Vary', 'Accept']] as const;

const wholePage = ({ icon, title, windowTitle, lead, body }: PageContent, script: string | undefined): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no">
<title>${windowTitle ?? title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main${!body && raw(' class="alone"')}>
<header>
<span class="icon">${icons[icon]}</span>
<h1 dir="auto">${title}</h1>
${lead && html`<p dir="auto">${lead}</p>`}
</header>
${body}
</main>
<footer>Waymark</footer>
${script !== undefined && html`<script>${raw(script)}</script>`}
</body>
</html>
`;

/** Renders pages of one kind, with a policy and headers that are built once. */
export const createPages = ({ script, formAction = "'none'", headers: more = [] }: PageKind = {}) => {
  const headers = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policyOf({ style, script, formAction })],
    ...varying,
    ...commonHeaders,
    ...more,
  ] as const;
  return (status: string, content: PageContent): Page => ({
    status,
    headers,
    body: Buffer.from(String(wholePage(content, script))),
  });
};

/** The answer for programs. */
export const jsonPage = (status: string, value: unknown, headers: PageHeaders = []): Page => ({
  status,
  headers: [['Content-Type', 'application/json; charset=utf-8'], ...varying, ...commonHeaders, ...headers],
  body: Buffer.from(JSON.stringify(value)),
});
