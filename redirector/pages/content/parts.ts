/** The parts of content pages. */
import { html } from 'hono/html';
import { webUrl } from '#shared/payloads/links.ts';
import type { Html, PageContent } from '../layout.ts';

/** The view of a payload; undefined where the payload is not of its type and is shown as text. */
export type View = PageContent | undefined;

/** A line of a card: its name, its value and an action. Nothing where there is no value. */
export const row = (name: string, value: string | Html | undefined, action?: Html): Html | undefined =>
  value
    ? html`<div class="row"><dt>${name}</dt><dd dir="auto">${value}</dd>${action && html`<dd class="action">${action}</dd>`}</div>
`
    : undefined;

export const card = (...rows: (Html | undefined)[]): Html | undefined =>
  rows.some(Boolean) ? html`<dl class="card">${rows}</dl>` : undefined;

/** Copies the text of the element with this id; shown by the script where copying is possible. */
export const copyButton = (id: string, what: string): Html =>
  html`<button class="small" type="button" data-copy="${id}" aria-label="Copy ${what}" hidden>Copy</button>`;

export const button = (href: string, label: string, second = false): Html =>
  html`<a class="button${second && html` second`}" href="${href}" rel="noreferrer">${label}</a>`;

/** A web address as a link in its ASCII form, which cannot look like another one. Any other text as it is. */
export const webLink = (text: string): string | Html => {
  const url =
    webUrl(text) ?? (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? webUrl(`https://${text}`) : undefined);
  return url === undefined ? text : html`<a href="${url}" rel="noreferrer">${url}</a>`;
};

/**
 * A file to keep, in a `data:` link. iOS Safari (13 and newer) and Android's Chrome save such a link under its
 * `download` name without script, and offer to open it in the contacts or the calendar. A `blob:` link would
 * need script, and Chrome and Firefox on iOS do not save those; a second request to this server would be a second
 * scan, and ask for the password again.
 */
export const fileButton = (name: string, type: string, text: string, label: string): Html => {
  const base64 = Buffer.from(text).toString('base64');
  return html`<a class="button" download="${name}" href="data:${type};charset=utf-8;base64,${base64}">${label}</a>`;
};

/** A name that every file system accepts. */
export const fileName = (title: string, extension: string): string => {
  const plain = title
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${plain.toLowerCase() || 'file'}.${extension}`;
};

/** The line in which the page's script reports copying and the like. */
export const statusLine: Html = html`<p class="status" role="status"></p>`;
