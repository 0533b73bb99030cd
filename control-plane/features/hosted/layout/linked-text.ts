/**
 * Turns addresses in an owner's longer texts into links: http and https URLs, e-mail addresses, and telephone numbers
 * in international form. The rest of the text is unchanged. Each word is checked once, and overlong words are
 * skipped.
 */
import { html } from 'hono/html';
import { escaped, type Html } from '#shared/pages/html.ts';
import { linkOf } from './links.ts';

/** No real text contains a longer address. */
const addressLengthMax = 500;
/** Per text. */
const linksMax = 50;

/** Characters that cannot be in an address. */
const wordBreak = /([\s<>"“”„«»‹›]+)/;
/** Ends of sentences and brackets, which do not belong to the address. */
const trailing = /[.,:;!?'’)\]}…*_]{1,20}$/;
const leading = /^[([{'‘*_]{1,20}/;

/** RFC 1035 allows labels of 63 characters and names of 253. */
const hostShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}$/i;
const localShape = /^[a-z0-9][a-z0-9._%+-]{0,63}$/i;
const urlShape = /^https?:\/\/[^/?#]/i;
/** Bare names only if they can hardly be anything else. */
const bareShape = /^www\.[^/?#]+/i;

const emailOf = (word: string): string | undefined => {
  const at = word.indexOf('@');
  return at > 0 && localShape.test(word.slice(0, at)) && hostShape.test(word.slice(at + 1))
    ? `mailto:${word}`
    : undefined;
};

const bareUrlOf = (word: string): string | undefined => {
  const host = bareShape.exec(word)?.[0];
  return host !== undefined && hostShape.test(host) ? `https://${word}` : undefined;
};

/** The link target of a word. */
const addressOf = (word: string): string | undefined => {
  if (word.length > addressLengthMax) return undefined;
  const href = urlShape.test(word) ? word : (bareUrlOf(word) ?? emailOf(word));
  return href === undefined ? undefined : linkOf(href);
};

/** A closing bracket belongs to the address if the address opens it. */
const endOf = (word: string): number => {
  const cut = word.replace(trailing, '').length;
  const isOwn = word[cut] === ')' && word.slice(0, cut).includes('(');
  return isOwn ? cut + 1 : cut;
};

/** Addresses run left to right: in right-to-left text a plus, or a slash at the end, would move to the other side. */
const link = (href: string, text: string): Html =>
  html`<a href="${escaped(href)}" rel="noopener nofollow ugc" dir="ltr">${escaped(text)}</a>`;

/** Groups of digits after a plus (E.164: at most 15 digits). */
const phones = /(?<![\p{L}\p{N}+])\+\d[\d()./\-– \u00a0]{5,28}\d(?![\p{L}\p{N}])/u;

const linkPhones = (text: string): Html[] => {
  const parts: Html[] = [];
  let rest = text;
  for (let found = phones.exec(rest); found && parts.length < 2 * linksMax; found = phones.exec(rest)) {
    const digits = found[0].replace(/\D/g, '');
    const isNumber = digits.length >= 7 && digits.length <= 15;
    parts.push(escaped(rest.slice(0, found.index)));
    parts.push(isNumber ? link(`tel:+${digits}`, found[0]) : escaped(found[0]));
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, escaped(rest)];
};

/** @returns the same text, with its addresses as links */
export const linkedText = (text: string): Html => {
  if (!/[@+]|www\.|:\/\//i.test(text)) return escaped(text);
  const parts: Html[] = [];
  let plain = '';
  for (const piece of text.split(wordBreak)) {
    const start = leading.exec(piece)?.[0].length ?? 0;
    const inner = piece.length > addressLengthMax ? '' : piece.slice(start);
    const word = inner.slice(0, endOf(inner));
    const href = word === '' || parts.length >= 2 * linksMax ? undefined : addressOf(word);
    if (href === undefined) {
      plain += piece;
      continue;
    }
    parts.push(...linkPhones(plain + piece.slice(0, start)), link(href, word));
    plain = piece.slice(start + word.length);
  }
  return html`${[...parts, ...linkPhones(plain)]}`;
};
