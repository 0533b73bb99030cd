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

/** Scripts of one of our languages each: a few words tell it. */
const ownScript = /[\p{Script=Arabic}\p{Script=Hebrew}]{3}/u;

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
  if (hasLetters(all, nameLettersMin)) return detectLanguage(all);
  return detectLanguage(all.filter((text) => text && ownScript.test(text)));
};
