/**
 * Detects the language of a page from its owner's texts: no field states it. A wrong guess is worse than none:
 * without one, the shell is shown in the visitor's language and the owner's texts get an empty `lang`.
 *
 *   most letters are of a script that one language has ──▶ that language
 *   the sentences are clearly of one language ──▶ that language
 *   words occur that only one language has ──▶ that language
 *   there are many texts, clearly of one language ──▶ that language
 *   there are very many texts and names, clearly of one language ──▶ that language
 *   otherwise ──▶ undefined
 */
import { detectAll } from 'tinyld';
import { type Language, languages } from '#shared/languages.ts';
import type { HostedPage } from '../hosted-page.ts';
import { languageOfWords } from './lexicon.ts';

type Text = string | undefined;

/**
 * The number of characters read. tinyld's time grows with its square: 2,000 Chinese characters took a quarter of a
 * second.
 */
const textLengthMax = 500;
/** Fewer words are often a name or a label, which look alike in many languages. */
const sentenceWordsMin = 4;
/** Letters in all sentences together. */
const sentenceLettersMin = 20;
/** Labels are weaker evidence than sentences … */
const textLettersMin = 60;
/** … and names the weakest: dishes have names from all over the world. */
const nameLettersMin = 150;
/** tinyld's accuracy, from 0 to 1. Texts in unsupported languages have some, too. */
const accuracyMin = 0.09;
/** How many times more likely than the next language. */
const leadMin = 1.5;

const scripts: readonly (readonly [letters: RegExp, language: Language])[] = [
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
];

const isLanguage = (code: string): code is Language => languages.some((language) => language === code);

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const lettersOf = (text: string): number => countOf(text, /\p{L}/gu);

/** The first characters of a text, by code points. The rest is not read. */
const firstOf = (text: string, max: number): string[] => [...text.slice(0, 2 * max)].slice(0, max);

function* eachOf(lists: readonly (readonly Text[])[]): Generator<Text> {
  for (const list of lists) yield* list;
}

/** The beginning of all texts, one per line. */
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

/** The letters of languages that share their script: it does not identify them. */
const latin = /\p{Script=Latin}/gu;

/** @returns undefined if there are too few letters, or if the language is in doubt */
const clearLanguage = (text: string, lettersMin: number): Language | undefined => {
  const letters = lettersOf(text);
  if (letters < lettersMin || countOf(text, latin) * 2 < letters) return undefined;
  const [first, second] = detectAll(text, { only: [...languages] });
  if (first === undefined || !isLanguage(first.lang) || first.accuracy < accuracyMin) return undefined;
  return second === undefined || first.accuracy >= second.accuracy * leadMin ? first.lang : undefined;
};

/**
 * The language stored with the page, detected when it was written.
 * @param detect detects the language of a page that is being written
 */
export const storedLanguage = (
  { language }: Pick<HostedPage, 'language'>,
  detect: () => Language | undefined,
): Language | undefined => {
  if (language === undefined) return detect();
  return isLanguage(language) ? language : undefined;
};

/**
 * @param texts strongest evidence first, such as the headline and the body; missing ones are skipped
 * @param names of things, such as dishes
 * @returns undefined if the texts are not clearly of one language
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
