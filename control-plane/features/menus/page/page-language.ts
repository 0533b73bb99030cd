/** The language of a menu, from its own texts. */
import type { MenuContent } from '#schemas/api/menus.ts';
import { detectLanguage, type Language } from '../../hosted/layout/index.ts';

/** Of each section: what comes after them is in no other language. */
const itemsMax = 10;

/** @returns English where the texts do not tell */
export const languageOf = ({ headline, subheadline, footer, sections }: MenuContent): Language => {
  const items = sections.flatMap((section) => section.items.slice(0, itemsMax));
  return detectLanguage(
    [
      subheadline,
      footer,
      ...sections.map(({ description }) => description),
      ...items.map(({ description }) => description),
    ],
    [headline, ...sections.map(({ name }) => name), ...items.map(({ name }) => name)],
  );
};
