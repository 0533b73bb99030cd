/** The frame of every page of this origin: its head, the bar at the top, and the policy that lets nothing else load. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { resolveTheme, type Scheme, themeColors } from '#shared/pages/theme.ts';
import type { Html } from './markup.ts';

/** Addresses of the style sheet and the script. */
export interface Assets {
  style: string;
  script: string;
}

/**
 * Says that scripts run, and in which language the reader wants the examples, before anything is drawn. It is in the
 * page itself: one in a file would delay the first drawing by a request.
 */
const firstScript = `document.documentElement.dataset.script='';
try{document.documentElement.dataset.language=sessionStorage.getItem('language')||'curl'}catch{document.documentElement.dataset.language='curl'}`;

/** Allows this origin's files and calls, the script in the page by its hash (CSP level 3, section 2.3.1), and nothing else. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(firstScript).digest('base64')}'`,
  "style-src 'self'",
  // Pictures that a call answers, and the icon.
  'img-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Text cannot become markup in the browser either.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The product's own colour. At night it is the same hue, in a light that stands out there. */
const accent = '#9c3815';
const accentAtNight = '#ffa17c';
export const scheme: Scheme = {
  light: resolveTheme({ accent }).light,
  dark: resolveTheme({ accent: accentAtNight }).dark,
};

/** Three finders and the path of a scan through the fourth corner. */
const markPaths =
  '<path fill-rule="evenodd" d="M3 3h8v8H3zm2.5 2.5v3h3v-3zM13 3h8v8h-8zm2.5 2.5v3h3v-3zM3 13h8v8H3zm2.5 2.5v3h3v-3z"/><path d="M13 13h3v3h-3zM18 18h3v3h-3z"/><path d="M16 16h2v2h-2z"/>';

export const mark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">${raw(markPaths)}</svg>`;

const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${accent}"/><g fill="#fff" transform="translate(4 4)">${markPaths}</g></svg>`,
)}`;

export const head = (title: string, { style, script }: Assets, description: string): Html =>
  html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${themeColors(scheme).map(
  ({ color, media }) => html`<meta name="theme-color" content="${color}" media="${media}">
`,
)}<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${icon}">
<script>${raw(firstScript)}</script>
<link rel="stylesheet" href="${style}">
<script src="${script}" type="module"></script>`;

const searchIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/></svg>`;
const menuIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16"/></svg>`;

const bar = html`<header class="bar">
<button type="button" class="icon-button contents-button" popovertarget="contents" aria-label="Contents">${menuIcon}</button>
<a class="brand" href="/docs">${mark}<span>Waymark</span> <span class="brand-part">API</span></a>
<button type="button" class="search-button" data-search aria-keyshortcuts="Control+K Meta+K /">${searchIcon}<span>Search</span><kbd>Ctrl K</kbd></button>
<button type="button" class="key-button" popovertarget="key">API key</button>
</header>
<form id="key" class="key" popover data-key-form>
<label for="key-value">API key</label>
<input id="key-value" type="password" autocomplete="off" spellcheck="false" placeholder="wm_…">
<label class="tick"><input id="key-keep" type="checkbox"> Keep it until this tab is closed</label>
<p>Examples and calls on this page use it. Without the tick, the page forgets it when you leave.</p>
</form>`;

export interface ShellParts {
  title: string;
  main: Html;
  contents: Html;
  assets: Assets;
}

export const shell = ({ title, main, contents, assets }: ShellParts): Html =>
  html`<!doctype html>
<html lang="en">
<head>
${head(title, assets, 'The API of Waymark: every operation, field and error, with examples.')}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${bar}
<div class="columns">
${contents}
<main id="main" tabindex="-1">
${main}</main>
</div>
</body>
</html>
`;
