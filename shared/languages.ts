/** The languages of our pages for visitors, and the choice of one for a visitor. */

/** BCP 47. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ar', 'he'] as const;
export type Language = (typeof languages)[number];

export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  language === 'ar' || language === 'he' ? 'rtl' : 'ltr';

/** Browsers send few languages; the rest of a longer header is ignored. */
const headerLengthMax = 200;

/** Our languages by primary subtag. Old Android sends `iw` for Hebrew. */
const bySubtag: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...languages.map((language) => [language, language] as const),
  ['iw', 'he'],
]);

/** An unreadable weight counts as no weight. */
const weightOf = (parameters: string): number => {
  const [, weight] = /;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i.exec(parameters) ?? [];
  return weight === undefined ? 1 : Number(weight);
};

/**
 * @param header Accept-Language (RFC 9110, section 12.5.4); of ranges with equal weight the first counts
 * @returns English if the header has none of our languages
 */
export const acceptedLanguage = (header: string): Language => {
  let best: Language = 'en';
  let bestWeight = 0;
  for (const range of header.slice(0, headerLengthMax).split(',')) {
    const [, subtag, parameters] = /^\s*([a-z]{2,8})(?:-[a-z0-9-]*)?\s*(;.*)?$/i.exec(range) ?? [];
    const language = subtag && bySubtag.get(subtag.toLowerCase());
    if (!language) continue;
    const weight = weightOf(parameters ?? '');
    if (weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
};
