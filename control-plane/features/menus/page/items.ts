/**
 * The markup of sections and their items. A menu may have a thousand items, so optional end tags are left out, and
 * the style sheet (`unicode-bidi: plaintext`) replaces `dir=auto` for their texts.
 */

import { html, raw } from 'hono/html';
import type { MenuContent, MenuItem } from '#schemas/api/menus.ts';
import { escaped, escapeText, type Html } from '#shared/pages/html.ts';
import type { MenuWords } from '#shared/pages/words.ts';
import { linkedText, type Pictures } from '../../hosted/layout/index.ts';
import { shownAllergens } from './allergens.ts';
import { dietName } from './names.ts';
import type { ShownItem, ShownSection } from './shown-menu.ts';

export interface ItemContext {
  readonly content: MenuContent;
  readonly words: MenuWords;
  readonly pictures: Pictures;
}

/** As wide as in the style sheet. */
const sideBox = { box: 'side', sizes: '80px', alt: '' } as const;

const hiddenIf = (isHidden: boolean): Html | false => isHidden && raw(' hidden');

/** Tags are stored in lower case. */
const capitalised = (text: string): string => {
  const [first = ''] = text;
  const upper = first.toUpperCase();
  return upper.length === first.length ? upper + text.slice(first.length) : text;
};

/** The values of an item's own categories, each after the category's name, in the order of the menu's categories. */
const customTagsOf = ({ customTags }: MenuItem, { content, words }: ItemContext): string[] =>
  content.tagCategories.flatMap(({ id, name }) => {
    const values = Object.hasOwn(customTags, id) ? customTags[id]! : [];
    return values.length > 0 ? [`${name}: ${values.map(capitalised).join(words.separator)}`] : [];
  });

const list = (kind: string, texts: readonly string[]): Html | false =>
  texts.length > 0 &&
  raw(`<ul class=${kind}>${texts.map((text) => `<li>${escapeText(text)}`).join('')}</ul>`);

/** What is vegan is vegetarian, too, and need not say so. */
const shownDiets = ({ dietary }: MenuItem): readonly string[] =>
  dietary.includes('vegan') ? dietary.filter((tag) => tag !== 'vegetarian') : dietary;

/** Tags that guests look for stand out; the owner's own categories are a quiet line. */
const tagLists = (item: MenuItem, context: ItemContext): Html => {
  const diets = shownDiets(item).map((tag) => dietName(context.words, tag));
  return html`${list('tags', diets)}${list('values', customTagsOf(item, context))}`;
};

const allergens = ({ allergens: tags }: MenuItem, { words }: ItemContext): Html | false =>
  tags.length > 0 &&
  html`<p class=allergens>${words.allergens} ${escaped(shownAllergens(words, tags).join(words.separator))}`;

/** The numbers of the form's options, by which the script filters. */
const numbers = (tags: readonly number[]): Html | false => tags.length > 0 && raw(` data-t=${tags.join()}`);

const renderItem = ({ item, tags, isHidden }: ShownItem, context: ItemContext): Html => html`
<li${numbers(tags)}${hiddenIf(isHidden)}>${item.imageUrl && context.pictures.picture(item.imageUrl, sideBox)}<h3>${escaped(item.name)}</h3>${
  item.price && html`<span class=price>${item.price}</span>`
}${item.description && html`<p>${escaped(item.description)}</p>`}${tagLists(item, context)}${allergens(item, context)}`;

/** As one flat string: a tree of all parts would make assembling the page slower. */
const flat = (parts: readonly Html[]): Html => raw(parts.map(String).join(''));

export const renderSection = (
  { id, section, items, isHidden }: ShownSection,
  context: ItemContext,
): Html => html`<section id=${id}${hiddenIf(isHidden)}>
<h2 dir=auto>${section.name}</h2>
${section.description && html`<p class=about dir=auto>${linkedText(section.description)}</p>`}${
  items.length > 0 &&
  html`<ul class=items>${flat(items.map((item) => renderItem(item, context)))}
</ul>`
}
</section>
`;
