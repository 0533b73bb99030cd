/** Menus, as they are sent, stored and shown. */
import { z } from 'zod';
import { buttons, shownButtons, shownSocials, shownTheme, socials, theme } from './blocks.ts';
import { described } from './described.ts';
import {
  clearableLabel,
  clearableText,
  createEntryIds,
  entryId,
  hostedName,
  hostedStatus,
  identifiedList,
  optionalLabel,
  optionalText,
  refuseSameIds,
  type Stored,
  visibleLabel,
} from './hosted-fields.ts';
import { itemTexts, menuOwnTexts, menuTexts, sectionTexts, tagCategoryTexts } from './menus-texts.ts';
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

const optionalTags = tags
  .nullable()
  .transform((list) => list ?? [])
  .default([]);

const customTags = boundedRecord(entryId, tags, tagCategoriesMax)
  .nullable()
  .transform((values) => values ?? {})
  .default({});

const item = z.strictObject(
  described(
    {
      id: entryId.optional(),
      name: visibleLabel(120),
      description: optionalText(500),
      price: optionalLabel(30),
      allergens: optionalTags,
      dietary: optionalTags,
      customTags,
      imageUrl: clearableWebUrl(pictureUrlLengthMax)
        .transform((url) => url ?? undefined)
        .optional(),
    },
    itemTexts,
  ),
);

const section = z.strictObject(
  described(
    {
      name: visibleLabel(120),
      description: optionalText(500),
      items: boundedArray(item, { max: itemsMax }),
    },
    sectionTexts,
  ),
);

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
  .optional();

export type MenuSection = NonNullable<z.output<typeof sections>>[number];
export type MenuItem = MenuSection['items'][number];

const tagCategory = z.strictObject(
  described({ id: entryId.optional(), name: visibleLabel(80), values: tags }, tagCategoryTexts),
);

const tagCategories = identifiedList(tagCategory, {
  field: 'tagCategories',
  max: tagCategoriesMax,
  word: 'category',
  nameOf: (entry) => entry.name,
});

const content = {
  headline: clearableLabel(200),
  subheadline: clearableLabel(200),
  footer: clearableText(300),
  heroImageUrl: clearableWebUrl(pictureUrlLengthMax).optional(),
  sections,
  tagCategories,
  theme,
  buttons,
  socials,
};

export const createMenuBody = z.strictObject(
  described({ name: hostedName, status: hostedStatus.optional(), ...content }, menuTexts),
);

export const updateMenuBody = z.strictObject(
  described({ name: hostedName.optional(), status: hostedStatus.optional(), ...content }, menuTexts),
);

/** The content as stored, without unset fields. */
export type MenuContent = Stored<z.output<z.ZodObject<typeof content>>>;

const shown = ownText();
const shownText = shown.nullable();
const shownPart = shown.optional();
const shownTags = z.array(shown);

const shownItem = z.object(
  described(
    {
      id: shown,
      name: shown,
      description: shownPart,
      price: shownPart,
      allergens: shownTags,
      dietary: shownTags,
      customTags: ownRecord(shownTags),
      imageUrl: shownPart,
    },
    itemTexts,
  ),
);

const shownSections = z.array(
  z.object(described({ name: shown, description: shownPart, items: z.array(shownItem) }, sectionTexts)),
);

const shownCategories = z.array(
  z.object(described({ id: shown, name: shown, values: shownTags }, tagCategoryTexts)),
);

/** With every field. Times are epoch milliseconds. */
export const menuObject = z.object(
  described(
    {
      menuId: shown,
      workspaceId: shown,
      name: shown,
      status: hostedStatus,
      headline: shownText,
      subheadline: shownText,
      footer: shownText,
      heroImageUrl: shownText,
      sections: shownSections,
      tagCategories: shownCategories,
      theme: shownTheme,
      buttons: shownButtons,
      socials: shownSocials,
      viewCount: z.int(),
      createdAt: z.int(),
      updatedAt: z.int(),
    },
    { ...menuTexts, ...menuOwnTexts },
  ),
);

export const menuList = z.object({
  menus: z
    .array(menuObject)
    .meta({ description: 'All menus of the workspace, the one that was changed last first.' }),
});
