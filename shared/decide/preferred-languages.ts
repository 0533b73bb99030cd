/** What a scanner prefers to read, for rules and for parameters. Pages have `acceptedLanguage`: any language is better than none. */
import { latest } from '../latest.ts';

/** Browsers send few languages; the rest of a longer header is ignored. */
const headerLengthMax = 200;

/** Whole entries: half of one would have another quality. */
const cut = (header: string): string =>
  header.length <= headerLengthMax ? header : header.slice(0, header.lastIndexOf(',', headerLengthMax) + 1);

/** Tags of equal quality. */
const preferredMax = 10;

/** RFC 9110, sections 12.4.2 and 12.5.4. An entry with an unreadable quality is ignored, and so is `*`: it names no language. */
const entry = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** Old Android and Java send these for Hebrew, Indonesian and Yiddish. */
const formerSubtags: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi' };

const current = (tag: string): string => {
  const [primary = '', ...rest] = tag.split('-');
  return [Object.hasOwn(formerSubtags, primary) ? formerSubtags[primary] : primary, ...rest].join('-');
};

const parse = (header: string): readonly string[] => {
  let best = 0;
  let preferred: string[] = [];
  for (const part of header.split(',')) {
    const [, tag, quality = '1'] = entry.exec(part) ?? [];
    if (tag === undefined || Number(quality) < best || Number(quality) === 0) continue;
    if (Number(quality) > best) preferred = [];
    best = Number(quality);
    preferred.push(current(tag.toLowerCase()));
  }
  return preferred.slice(0, preferredMax);
};

const parseLatest = latest(parse);

/**
 * Nearly every browser accepts English, at a low quality. So only the tags of the highest quality count: a rule for English
 * would otherwise match most people.
 * @param header Accept-Language
 * @returns tags in lower case; a quality of 0 excludes
 */
export const preferredLanguages = (header: string): readonly string[] => parseLatest(cut(header));

/** Basic filtering, RFC 4647, section 3.3.1. Both in lower case. */
export const isInRange = (tag: string, range: string): boolean =>
  tag.startsWith(range) && (tag.length === range.length || tag[range.length] === '-');
