/** Texts of exports → short links, lists, flags. */
import { httpWithHost } from '#schemas/web-url.ts';
import type { ShortLink } from './link.ts';

/** A cell has up to 20,000 characters. No parser sees a longer text. */
const shortUrlLengthMax = 2_048;

/** Without those around it. */
export const withoutSlashes = (text: string): string => {
  let [begin, end] = [0, text.length];
  while (text[begin] === '/') begin++;
  while (end > begin && text[end - 1] === '/') end--;
  return text.slice(begin, end);
};

/** @param text a URL, or a URL without its scheme: `bit.ly/abc` */
export const shortLinkOf = (text: string): ShortLink | undefined => {
  if (text.length > shortUrlLengthMax) return undefined;
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = httpWithHost.test(whole) ? URL.parse(whole) : null;
  if (!url?.hostname.includes('.')) return undefined;
  return { slug: decoded(withoutSlashes(url.pathname)), host: url.hostname };
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** @param given the host, as far as a column names it */
export const hostOf = (given: string): string | null => shortLinkOf(given)?.host ?? null;

/** A list in a cell: JSON, or texts with a separator. */
export const listOf = (cell: string, separator: string): string[] => {
  const texts = jsonList(cell) ?? cell.split(separator);
  return texts.map((text) => text.trim()).filter((text) => text !== '');
};

const jsonList = (cell: string): string[] | undefined => {
  if (!cell.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : undefined;
  } catch {
    return undefined;
  }
};

export const isTrue = (cell: string): boolean => /^(true|1|yes)$/i.test(cell);

/** The short links of a row, each once. @param links undefined ones are left out */
export const distinctLinks = (links: readonly (ShortLink | undefined)[]): ShortLink[] => [
  ...new Map(
    links.flatMap((link) => (link ? [[`${link.host ?? ''}/${link.slug}`, link] as const] : [])),
  ).values(),
];
