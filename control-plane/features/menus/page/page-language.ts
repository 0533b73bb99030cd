/** The language of a menu, from its own texts. */
import type { MenuContent } from '#schemas/api/menus.ts';
import { detectLanguage, type Language } from '../../hosted/layout/index.ts';

type Text = string | undefined;

/** Of each section: what comes after them is in no other language. */
const itemsMax = 10;

/** Sentences tell a language soon. */
const sentenceLettersMin = 40;
/** Dishes have names from all over the world: only many of them tell the language of a menu. */
const nameLettersMin = 150;

/** Scripts of one of our languages each: a word tells it. */
const scripts: readonly (readonly [script: RegExp, language: Language])[] = [
  [/\p{Script=Arabic}{3}/u, 'ar'],
  [/\p{Script=Hebrew}{3}/u, 'he'],
];

const languageOfScript = (texts: readonly Text[]): Language | undefined =>
  scripts.find(([script]) => texts.some((text) => text && script.test(text)))?.[1];

const hasLetters = (texts: readonly Text[], min: number): boolean => {
  let letters = 0;
  for (const text of texts) {
    letters += text?.match(/\p{L}/gu)?.length ?? 0;
    if (letters >= min) return true;
  }
  return false;
};

/** @returns English where the texts do not tell */
export const languageOf = ({ headline, subheadline, footer, sections }: MenuContent): Language => {
  const items = sections.flatMap((section) => section.items.slice(0, itemsMax));
  const sentences = [
    subheadline,
    footer,
    ...sections.map(({ description }) => description),
    ...items.map(({ description }) => description),
  ];
  if (hasLetters(sentences, sentenceLettersMin)) return detectLanguage(sentences);
  const all = [...sentences, headline, ...sections.map(({ name }) => name), ...items.map(({ name }) => name)];
  return hasLetters(all, nameLettersMin) ? detectLanguage(all) : (languageOfScript(all) ?? 'en');
};
