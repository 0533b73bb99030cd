/** Fragments of the views of codes. They also run in browsers: do not use anything specific to Node. */
import type { Language } from '#shared/languages.ts';
import type { Words } from '#shared/pages/words.ts';
import { linkedUrl } from '#shared/payloads/links.ts';
import { type Element, element, type Part } from './elements.ts';

/** The visible content of a payload. */
export interface View {
  title: string;
  lead?: string;
  body: Part;
}

/** The phones whose apps and settings are known by name. */
export type Device = 'ios' | 'android';

/** By the header User-Agent; undefined for other devices, such as desktops. */
export const deviceOf = (userAgent: string): Device | undefined => {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  return /Android/.test(userAgent) ? 'android' : undefined;
};

/** Who looks at a view. */
export interface Viewer {
  language: Language;
  words: Words['data'];
  device: Device | undefined;
  /** Unique to the payload. */
  uid(): string;
}

/** Makes the view of a payload; undefined if the payload is not of its type and is shown as text. */
export type Show = (payload: string, viewer: Viewer) => View | undefined;

/** A line of a card: its name, its value and an action. Nothing if there is no value. */
export const row = (name: string, value: Part, action?: Element): Part =>
  value
    ? element(
        'div',
        { class: 'row' },
        element('dt', {}, name),
        element('dd', { dir: 'auto' }, value),
        action && element('dd', { class: 'action' }, action),
      )
    : undefined;

export const card = (...rows: Part[]): Part =>
  rows.flat().some(Boolean) ? element('dl', { class: 'card' }, rows) : undefined;

/** A copyable value of a row. */
export const copied = (id: string, value: string): Element => element('span', { id }, value);

/** Copies the text of the element with this id; the script shows the button if copying is possible. */
export const copyButton = (id: string, label: string, kind: 'small' | 'button' | 'button primary'): Element =>
  element('button', { class: kind, type: 'button', 'data-copy': id, hidden: true }, label);

/** @param rank of a page's buttons one is the main one */
export const button = (href: string, label: string, rank: 'main' | 'second' = 'main'): Element =>
  element('a', { class: rank === 'main' ? 'button primary' : 'button', href, rel: 'noreferrer' }, label);

/** A web address as a link in its ASCII form, which cannot imitate another one. Any other text unchanged. */
export const webLink = (text: string): string | Element => {
  const url = linkedUrl(text);
  return url === undefined ? text : element('a', { href: url, rel: 'noreferrer' }, url);
};

/**
 * A file to save, as a `data:` link. iOS Safari (13 and newer) and Android's Chrome save such a link under its
 * `download` name without script, and offer to open it in the contacts or the calendar. A `blob:` link would need
 * script, and Chrome and Firefox on iOS do not save those; a second request to this server would be a second scan, and
 * ask for the password again.
 */
export const fileButton = (name: string, type: string, text: string, label: string): Element => {
  const base64 = btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''),
  );
  const href = `data:${type};charset=utf-8;base64,${base64}`;
  return element('a', { class: 'button primary', download: name, href }, label);
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

export const hint = (text: string): Element => element('p', { class: 'hint' }, text);

/** A text on a card of its own. */
export const textCard = (text: string): Element =>
  element('div', { class: 'card' }, element('p', { class: 'text', id: 'text', dir: 'auto' }, text));

/** The line in which the page's script reports copying and the like. */
export const statusLine: Element = element('p', { class: 'status', role: 'status' });
