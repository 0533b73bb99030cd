/** Detects the language of a menu from its texts. */
import type { MenuContent } from '#schemas/api/menus.ts';
import type { Language } from '#shared/languages.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import { detectLanguage, storedLanguage } from '../../hosted/layout/index.ts';

/** Per section: later items are in the same language. */
const itemsMax = 10;

type Texts = Pick<HostedPage<MenuContent>, 'name' | 'content' | 'language'>;

/** @returns undefined if the texts are not clearly of one language */
export const languageOf = (page: Texts): Language | undefined =>
  storedLanguage(page, () => languageOfTexts(page));

const languageOfTexts = ({
  name,
  content: { headline, subheadline, footer, sections, buttons },
}: Texts): Language | undefined => {
  const items = sections.flatMap((section) => section.items.slice(0, itemsMax));
  return detectLanguage(
    [
      subheadline,
      footer,
      ...sections.map(({ description }) => description),
      ...items.map(({ description }) => description),
      ...buttons.flatMap(({ label, hint }) => [label, hint]),
    ],
    [headline ?? name, ...sections.map((section) => section.name), ...items.map((item) => item.name)],
  );
};
