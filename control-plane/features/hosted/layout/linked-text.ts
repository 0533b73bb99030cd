/**
 * Addresses in an owner's longer texts as links: http and https URLs, e-mail addresses, and telephone numbers in international form.
 * Everything else of the text stays as it is. A word is looked at once, and a long one not at all.
 */
import { html } from 'hono/html';
import { escaped, type Html } from './html.ts';
import { linkOf } from './links.ts';

/** Nobody writes a longer address into a text. */
const addressLengthMax = 500;
/** Of one text. */
const linksMax = 50;

/** What cannot be in an address. */
const wordBreak = /([\s<>"“”„«»‹›]+)/;
/** What ends a sentence or a bracket, and no address. */
const trailing = /[.,:;!?'’)\]}…*_]{1,20}$/;
const leading = /^[([{'‘*_]{1,20}/;

/** RFC 1035 allows labels of 63 characters and names of 253. */
const hostShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}$/i;
const localShape = /^[a-z0-9][a-z0-9._%+-]{0,63}$/i;
const urlShape = /^https?:\/\/[^/?#]/i;
/** Of bare names only those that are hardly anything else. */
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

/** Where a word leads. */
const addressOf = (word: string): string | undefined => {
  if (word.length > addressLengthMax) return undefined;
  const href = urlShape.test(word) ? word : (bareUrlOf(word) ?? emailOf(word));
  return href === undefined ? undefined : linkOf(href);
};

/** A bracket that the address opens itself belongs to it. */
const endOf = (word: string): number => {
  const cut = word.replace(trailing, '').length;
  const isOwn = word[cut] === ')' && word.slice(0, cut).includes('(');
  return isOwn ? cut + 1 : cut;
};

/** Addresses are written from left to right: in a text from right to left a plus, or a slash at the end, would change its side. */
const link = (href: string, text: string): Html =>
  html`<a href="${escaped(href)}" rel="noopener nofollow ugc" dir="ltr">${escaped(text)}</a>`;

/** Digits in groups, from a plus on (E.164: 15 of them at most). */
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
