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

const scoresOf = (link: Gs1Link, { context, languages, mediaTypes }: Preferences): readonly number[] => [
  contextScore(link, context),
  languageScore(link, languages),
  mediaScore(link, mediaTypes),
  link.default ? 1 : 0,
];

const isBetter = (one: readonly number[], other: readonly number[]): boolean => {
  for (const [at, score] of one.entries()) if (score !== other[at]) return score > other[at]!;
  return false;
};

/**
 * The best of several links of one type: by context, then language, then media type; otherwise the default, or the
 * first.
 * @param links at least one
 */
export const chooseLink = (links: readonly Gs1Link[], preferences: Preferences): Gs1Link => {
  let best = links[0]!;
  if (links.length === 1) return best;
  let bestScores = scoresOf(best, preferences);
  for (const link of links.slice(1)) {
    const scores = scoresOf(link, preferences);
    if (!isBetter(scores, bestScores)) continue;
    best = link;
    bestScores = scores;
  }
  return best;
};
