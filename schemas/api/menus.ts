/** Menus, as they are sent, stored and shown. */
import { z } from 'zod';
import { buttons, shownBlocks, socials, theme } from './blocks.ts';
import { describedLike } from './described-like.ts';
import {
  clearableLabel,
  clearableText,
  createEntryIds,
  entryId,
  givenEntryId,
  hostedCreatedAt,
  hostedName,
  hostedStatus,
  hostedUpdatedAt,
  hostedWorkspaceId,
  identifiedList,
  optionalLabel,
  optionalText,
  refuseSameIds,
  type Stored,
  viewCount,
  visibleLabel,
} from './hosted-fields.ts';
import { suggestedAllergens, suggestedDiets } from './menu-tags.ts';
import { boundedArray, boundedRecord, ownRecord, ownText } from './text.ts';
import { clearableWebUrl } from './web-address.ts';

export const menusMax = 50;
export const sectionsMax = 20;
export const itemsMax = 50;
export const tagCategoriesMax = 10;
const tagsMax = 30;
const tagLengthMax = 40;
const pictureUrlLengthMax = 2000;

/** Lower-casing can lengthen a text. */
const tag = visibleLabel(tagLengthMax)
  .transform((text) => text.trim().toLowerCase())
  .superRefine((text, context) => {
    if (text.length <= tagLengthMax) return;
    const message = `must have at most ${tagLengthMax} characters in lower case, and has ${text.length} there`;
    context.addIssue({
      code: 'too_big',
      origin: 'string',
      maximum: tagLengthMax,
      inclusive: true,
      input: text,
      message,
    });
  });

const tags = boundedArray(tag, { max: tagsMax }).transform((list) => [...new Set(list)]);

const tagRules = 'Values are trimmed and lowercased, and duplicates are dropped.';

const optionalTags = (suggested: readonly string[]) =>
  tags
    .nullable()
    .transform((list) => list ?? [])
    .default([])
    .describe(`Any values. Suggested: ${suggested.join(', ')}. ${tagRules}`);

const customTags = boundedRecord(entryId, tags, tagCategoriesMax)
  .nullable()
  .transform((values) => values ?? {})
  .default({})
  .describe(
    'Tags of the menu’s own categories, by the `id` of the category: `{"wine": ["dry", "red"]}`. Values ' +
      'that the category does not list are accepted, and its filter offers them after the listed ones. ' +
      'Values are trimmed and lowercased.',
  );

const item = z.strictObject({
  id: givenEntryId('menu', 'name'),
  name: visibleLabel(120).describe('The name of the item.'),
  description: optionalText(500).describe('A description of the item.'),
  price: optionalLabel(30).describe('The price as it is shown, with its currency.'),
  allergens: optionalTags(suggestedAllergens),
  dietary: optionalTags(suggestedDiets),
  customTags,
  imageUrl: clearableWebUrl(pictureUrlLengthMax)
    .transform((url) => url ?? undefined)
    .optional()
    .describe('A picture of the item: an absolute http or https URL.'),
});

const section = z.strictObject({
  name: visibleLabel(120).describe('The name of the section.'),
  description: optionalText(500).describe('Text below the name.'),
  items: boundedArray(item, { max: itemsMax }).describe('The items, in their order.'),
});

type GivenSection = z.output<typeof section>;

const itemsWithPaths = (sections: readonly GivenSection[]) =>
  sections.flatMap(({ items }, at) => items.map((entry, index) => [entry, [at, 'items', index]] as const));

const sections = boundedArray(section, { max: sectionsMax })
  .superRefine((list, context) => refuseSameIds('sections', itemsWithPaths(list), context))
  .transform((list) => {
    const ids = createEntryIds(list.flatMap(({ items }) => items));
    return list.map(({ items, ...rest }) => ({
      ...rest,
      items: items.map((entry) => ({ ...entry, id: ids.idFor(entry, entry.name, 'item') })),
    }));
  })
  .nullable()
  .transform((list) => list ?? [])
  .optional()
  .describe('The sections, in their order. `null` empties the list.');

export type MenuSection = NonNullable<z.output<typeof sections>>[number];
export type MenuItem = MenuSection['items'][number];

const tagCategory = z.strictObject({
  id: givenEntryId('list', 'name', ' Items refer to it in `customTags`.'),
  name: visibleLabel(80).describe('The name that visitors see.'),
  values: tags.describe(
    `The values to choose from, in their order. A value that no item has is not offered. ${tagRules}`,
  ),
});

const tagCategories = identifiedList(tagCategory, {
  field: 'tagCategories',
  max: tagCategoriesMax,
  word: 'category',
  nameOf: (entry) => entry.name,
}).describe('Your own kinds of tags, by which visitors can filter. `null` empties the list.');

const content = {
  headline: clearableLabel(200).describe('The largest line of the menu.'),
  subheadline: clearableLabel(200).describe('A line below the headline.'),
  footer: clearableText(300).describe('Text at the end, such as opening hours.'),
  heroImageUrl: clearableWebUrl(pictureUrlLengthMax)
    .optional()
    .describe('The large picture at the top: an absolute http or https URL.'),
  sections,
  tagCategories,
  theme,
  buttons,
  socials,
};

const fields = {
  name: hostedName.describe('A name for people. Visitors see it if the menu has no headline.'),
  status: hostedStatus.optional(),
  ...content,
};

export const createMenuBody = z.strictObject(fields);

export const updateMenuBody = z.strictObject({ ...fields, name: fields.name.optional() });

/** The content as stored, without unset fields. */
export type MenuContent = Stored<z.output<z.ZodObject<typeof content>>>;

const shown = ownText();
const shownText = shown.nullable();
const shownPart = shown.optional();
const shownTags = z.array(shown);

const shownItem = z.object(
  describedLike(item.shape, {
    id: shown,
    name: shown,
    description: shownPart,
    price: shownPart,
    allergens: shownTags,
    dietary: shownTags,
    customTags: ownRecord(shownTags),
    imageUrl: shownPart,
  }),
);

const shownSection = z.object(
  describedLike(section.shape, { name: shown, description: shownPart, items: z.array(shownItem) }),
);

const shownCategory = z.object(
  describedLike(tagCategory.shape, { id: shown, name: shown, values: shownTags }),
);

/** With every field. Times are epoch milliseconds. */
export const menuObject = z.object(
  describedLike(fields, {
    menuId: shown.describe('The id of the menu, a part of its address: `{qr_host}/m/{menuId}`.'),
    workspaceId: hostedWorkspaceId,
    name: shown,
    status: hostedStatus,
    headline: shownText,
    subheadline: shownText,
    footer: shownText,
    heroImageUrl: shownText,
    sections: z.array(shownSection),
    tagCategories: z.array(shownCategory),
    theme: shownBlocks.theme,
    buttons: shownBlocks.buttons,
    socials: shownBlocks.socials,
    viewCount,
    createdAt: hostedCreatedAt,
    updatedAt: hostedUpdatedAt,
  }),
);

export const menuList = z.object({
  menus: z.array(menuObject).describe('All menus of the workspace, most recently changed first.'),
});
