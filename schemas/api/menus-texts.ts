/** Descriptions of the fields of a menu, for integrators: Markdown. */
import { blockTexts, entryIdText, hostedTexts, pictureTexts, viewCountText } from './blocks-texts.ts';
import { suggestedAllergens, suggestedDiets } from './menu-tags.ts';

export const menuTexts = {
  name: hostedTexts.name,
  status: hostedTexts.status,
  headline: 'The largest line of the menu.',
  subheadline: 'A line below the headline.',
  footer: 'Text at the end, such as opening hours.',
  heroImageUrl: pictureTexts.heroImageUrl,
  sections: 'Up to 20, in their order. `null` empties the list.',
  tagCategories: 'Up to 10 kinds of tags of your own, by which visitors can filter. `null` empties the list.',
  ...blockTexts,
} as const;

export const sectionTexts = {
  name: 'What the section is called.',
  description: 'Text below the name.',
  items: 'Up to 50, in their order.',
} as const;

const tags = (suggested: readonly string[]) =>
  `Any, in lower case; suggested: ${suggested.join(', ')}. They are trimmed and lowercased, and each is kept once.`;

export const itemTexts = {
  id: entryIdText('menu', 'the name'),
  name: 'What it is called.',
  description: 'What it is.',
  price: 'As it is to be shown, with its currency.',
  allergens: tags(suggestedAllergens),
  dietary: tags(suggestedDiets),
  customTags:
    'Tags of the menu’s own kinds, by the `id` of their category: `{"wine": ["dry", "red"]}`. A value that the category does not list is ' +
    'accepted, and is one more choice of its filter, after those that are listed. They are trimmed and lowercased.',
  imageUrl: pictureTexts.imageUrl,
} as const;

export const tagCategoryTexts = {
  id: `${entryIdText('list', 'the name')} Items refer to it in \`customTags\`.`,
  name: 'What visitors see.',
  values:
    'The values to choose from, in their order; one that no item has is not offered. They are trimmed and lowercased, and each is kept once.',
} as const;

/** Texts of fields that only answers have. */
export const menuOwnTexts = {
  menuId: 'The id of the menu, a part of its address: `{qr_host}/m/{menuId}`.',
  workspaceId: hostedTexts.workspaceId,
  viewCount: viewCountText,
  createdAt: hostedTexts.createdAt,
  updatedAt: hostedTexts.updatedAt,
} as const;
