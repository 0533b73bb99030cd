/** The language of a page, from its owner's own texts: nobody states it. */
import { detectAll } from 'tinyld';
import { type Language, languages } from './texts/words.ts';

/** Names of people and places decide less in a longer text; more than this changes nothing. */
const textLengthMax = 2_000;
/** Fewer letters are as often a name as a sentence. */
const lettersMin = 10;
/** How much more likely than the next language. */
const leadMin = 1.25;

const isLanguage = (code: string): code is Language => languages.some((language) => language === code);

/**
 * @param texts most telling first, such as the headline and the body; what is missing is skipped
 * @returns English where the texts are few or could be of several languages
 */
export const detectLanguage = (texts: readonly (string | undefined)[]): Language => {
  const text = texts.filter(Boolean).join('. ').slice(0, textLengthMax);
  if ((text.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return 'en';
  const [first, second] = detectAll(text, { only: [...languages] });
  if (first === undefined || !isLanguage(first.lang)) return 'en';
  return second === undefined || first.accuracy >= second.accuracy * leadMin ? first.lang : 'en';
};
