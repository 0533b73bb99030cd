/**
 * The language of a page, from its owner's own texts: nobody states it. A wrong language is worse than none: where there is none,
 * each visitor gets the shell in a language of his own, and nothing is said of the owner's texts.
 *
 *   most letters are of a script that one language has ──▶ it
 *   the sentences tell ──▶ their language
 *   words that only one language has tell ──▶ it
 *   the texts tell, being many ──▶ their language
 *   the texts and names tell, being very many ──▶ their language
 *   otherwise ──▶ none
 */
import { detectAll } from 'tinyld';
import { type Language, languages } from '#shared/languages.ts';
import type { HostedPage } from '../hosted-page.ts';
import { languageOfWords } from './lexicon.ts';

type Text = string | undefined;

/** Characters that are looked at. tinyld's time grows with the square of them: 2,000 Chinese ones took a quarter of a second. */
const textLengthMax = 500;
/** Fewer words are as often a name or a label, which look alike in many languages. */
const sentenceWordsMin = 4;
/** Letters of all sentences. */
const sentenceLettersMin = 20;
/** Labels tell less than sentences … */
const textLettersMin = 60;
/** … and names least: dishes have names from all over the world. */
const nameLettersMin = 150;
/** Of tinyld, from 0 to 1: texts of other languages than ours have some, too. */
const accuracyMin = 0.09;
/** How much more likely than the next language. */
const leadMin = 1.5;

const scripts: readonly (readonly [letters: RegExp, language: Language])[] = [
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
];

const isLanguage = (code: string): code is Language => languages.some((language) => language === code);

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const lettersOf = (text: string): number => countOf(text, /\p{L}/gu);

/** The first characters of a text, by code points. What comes after them is not touched. */
const firstOf = (text: string, max: number): string[] => [...text.slice(0, 2 * max)].slice(0, max);

function* eachOf(lists: readonly (readonly Text[])[]): Generator<Text> {
  for (const list of lists) yield* list;
}

/** The beginning of all texts, one a line. */
const joined = (...lists: (readonly Text[])[]): string => {
  const characters: string[] = [];
  for (const text of eachOf(lists)) {
    if (characters.length >= textLengthMax) break;
    if (!text) continue;
    if (characters.length > 0) characters.push('\n');
    characters.push(...firstOf(text, textLengthMax - characters.length));
  }
  return characters.join('');
};

const sentencesOf = (text: string): string =>
  text
    .split(/[.!?\n]+/)
    .filter((part) => countOf(part, /[\p{L}\p{M}'’]+/gu) >= sentenceWordsMin)
    .join('. ');

const languageOfScript = (text: string): Language | undefined =>
  scripts.find(([letters]) => countOf(text, letters) * 2 > lettersOf(text))?.[1];

/** Languages that are not told by their letters are written in these. */
const latin = /\p{Script=Latin}/gu;

/** @returns undefined where the letters are too few, or the language is in doubt */
const clearLanguage = (text: string, lettersMin: number): Language | undefined => {
  const letters = lettersOf(text);
  if (letters < lettersMin || countOf(text, latin) * 2 < letters) return undefined;
  const [first, second] = detectAll(text, { only: [...languages] });
  if (first === undefined || !isLanguage(first.lang) || first.accuracy < accuracyMin) return undefined;
  return second === undefined || first.accuracy >= second.accuracy * leadMin ? first.lang : undefined;
};

/**
 * The language of a page as it was told when the page was written.
 * @param detect finds the language of a page that is being written
 */
export const toldLanguage = (
  { language }: Pick<HostedPage, 'language'>,
  detect: () => Language | undefined,
): Language | undefined => {
  if (language === undefined) return detect();
  return isLanguage(language) ? language : undefined;
};

/**
 * @param texts most telling first, such as the headline and the body; what is missing is skipped
 * @param names of things, such as dishes
 * @returns undefined where the texts do not tell
 */
export const detectLanguage = (texts: readonly Text[], names: readonly Text[] = []): Language | undefined => {
  const [text, whole] = [joined(texts), joined(texts, names)];
  return (
    languageOfScript(whole) ??
    clearLanguage(sentencesOf(text), sentenceLettersMin) ??
    languageOfWords(whole) ??
    clearLanguage(text, textLettersMin) ??
    clearLanguage(whole, nameLettersMin)
  );
};
