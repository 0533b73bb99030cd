/**
 * The common parts of all pages: one layout, one style sheet, and a policy under which nothing else runs, loads or
 * connects. A page is one response of at most 15 KB in addition to its own content.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { icons } from './icons.ts';
import type { Page } from './page.ts';

export type Html = ReturnType<typeof html>;

export interface PageContent {
  icon: keyof typeof icons;
  title: string;
  /** The title of the window, where it differs from the title of the page. */
  windowTitle?: string;
  lead?: string | Html;
  /** Below title and lead. */
  body?: Html;
}

export interface PageKind {
  /** File in `browser/` that the page runs. */
  script?: string;
  /** Further files, which it imports: they come before it in the same script. */
  scriptParts?: readonly string[];
  /** Sources of CSP's form-action; default: no form may be sent anywhere. */
  formAction?: string;
  /** In addition to the headers of every page. */
  headers?: readonly (readonly [string, string])[];
}

/**
 * A text of `browser/` without its comments and indentation: readable in the file, small in the response. Its line ends are
 * LF, since a browser normalizes line ends before it hashes a script.
 */
const readAsset = (name: string): string =>
  readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\/\*[\s\S]*?\*\/\n?/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();

/** One script of several files. Their imports of each other are removed: every file comes after those that it imports. */
const readScript = (names: readonly string[]): string =>
  names
    .map((name) =>
      readAsset(name)
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n');

const source = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const style = readAsset('page.css').replace(/(?<=[{};,])\n|\n(?=\})|(?<=[:,{]) | (?=\{)/g, '');

/** Everything is forbidden except these texts, which are allowed by their hashes (CSP level 3, section 2.3.1). */
const policy = (script: string | undefined, formAction: string): string =>
  [
    "default-src 'none'",
    `style-src ${source(style)}`,
    `script-src ${script === undefined ? "'none'" : source(script)}`,
    "connect-src 'none'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    // No text becomes markup in the browser either.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const commonHeaders: readonly (readonly [string, string])[] = [
  ['Vary', 'Accept'],
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Robots-Tag', 'noindex'],
];

const document = ({ icon, title, windowTitle, lead, body }: PageContent, script: string | undefined): Html =>
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

/** Renders pages of one kind: its policy and headers are made once. */
export const createPages = ({
  script: name,
  scriptParts = [],
  formAction = "'none'",
  headers: more = [],
}: PageKind = {}) => {
  const script = name === undefined ? undefined : readScript([...scriptParts, name]);
  const headers = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy(script, formAction)],
    ...commonHeaders,
    ...more,
  ] as const;
  return (status: string, content: PageContent): Page => ({
    status,
    headers,
    body: Buffer.from(String(document(content, script))),
  });
};

/** The answer for programs. */
export const jsonPage = (status: string, value: unknown, headers: PageKind['headers'] = []): Page => ({
  status,
  headers: [['Content-Type', 'application/json; charset=utf-8'], ...commonHeaders, ...headers],
  body: Buffer.from(JSON.stringify(value)),
});
