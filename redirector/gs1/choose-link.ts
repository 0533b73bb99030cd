/** Chooses the link that suits a request best. */
import type { Gs1Link } from '#schemas/documents.ts';
import type { Preferences, Weighted } from './preferences.ts';

/** A link for all serves visitors without a better one. */
const neutral = 0.001;

const isLanguageOf = (wanted: string, offered: string): boolean =>
  wanted === offered || offered.startsWith(`${wanted}-`) || wanted.startsWith(`${offered}-`);

const languageScore = ({ hreflang }: Gs1Link, languages: readonly Weighted[]): number => {
  if (hreflang === undefined) return neutral;
  for (const { value, quality } of languages)
    if (hreflang.some((offered) => isLanguageOf(value, offered))) return quality;
  return 0;
};

const isMediaTypeOf = (wanted: string, offered: string): boolean =>
  wanted === offered || (wanted.endsWith('/*') && offered.startsWith(wanted.slice(0, -1)));

const mediaScore = ({ type }: Gs1Link, mediaTypes: readonly Weighted[]): number => {
  if (type === undefined) return neutral;
  return mediaTypes.find(({ value }) => value !== '*/*' && isMediaTypeOf(value, type))?.quality ?? 0;
};

const contextScore = (link: Gs1Link, context: string | undefined): number => {
  if (link.context === undefined) return neutral;
  return context !== undefined && link.context.includes(context) ? 1 : 0;
};

/** In the order in which they count. */
const scores: readonly ((link: Gs1Link, preferences: Preferences) => number)[] = [
  (link, { context }) => contextScore(link, context),
  (link, { languages }) => languageScore(link, languages),
  (link, { mediaTypes }) => mediaScore(link, mediaTypes),
  (link) => (link.default ? 1 : 0),
];

const isBetter = (one: Gs1Link, other: Gs1Link, preferences: Preferences): boolean => {
  for (const scoreOf of scores) {
    const difference = scoreOf(one, preferences) - scoreOf(other, preferences);
    if (difference !== 0) return difference > 0;
  }
  return false;
};

/**
 * The best of several links of one type: by context, then language, then media type; otherwise the default, or the
 * first.
 * @param links at least one
 */
export const chooseLink = (links: readonly Gs1Link[], preferences: Preferences): Gs1Link => {
  let best = links[0]!;
  for (let at = 1; at < links.length; at++) if (isBetter(links[at]!, best, preferences)) best = links[at]!;
  return best;
};
