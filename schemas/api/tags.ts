/** Tags of codes: in bodies, in the API's own answers, and their operations. */
import { z } from 'zod';
import { boundedArray, boundedText, label, ownText, wholeNumberParameter } from './text.ts';

export const tagLengthMax = 50;
export const tagsPerCodeMax = 50;
/** Of a workspace. */
export const tagsMax = 5_000;

/** Not blank, and without the signs that separate tags. */
const tagShape = /^\s*[^\s,|]([^,|]*[^\s,|])?\s*$/;

/** A tag as its owner writes it. Blanks around it do not count. */
export const tagName = label(tagLengthMax)
  .regex(tagShape, 'must not be blank, and must not contain a comma or |')
  .transform((text) => text.trim().normalize('NFC'));

/** Tags with the same key are the same. */
export const tagKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Whether a text can be a tag at all. */
export const isTagShaped = (text: string): boolean =>
  text.length <= tagLengthMax && tagName.safeParse(text).success;

/** The first of each that differ only in case. */
export const distinctTags = (names: readonly string[]): string[] =>
  [...new Map(names.toReversed().map((name) => [tagKey(name), name])).values()].reverse();

/** The tags of a code in a body. `null` means none. */
export const tags = boundedArray(tagName, { max: tagsPerCodeMax }).transform(distinctTags).nullable();

/** A query parameter: tags, separated by commas. */
export const tagsParameter = () =>
  label(tagsPerCodeMax * (tagLengthMax + 1))
    .transform((text) => [...new Set(text.split(',').map(tagKey))].filter((key) => key !== ''))
    .refine((keys) => keys.length > 0, 'must name a tag')
    .refine((keys) => keys.length <= tagsPerCodeMax, `must name at most ${tagsPerCodeMax} tags`);

export const tagListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of tags in a page.'),
  cursor: boundedText(1_000)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

export const tagUpdateBody = z.strictObject({
  name: tagName.describe(
    'The new name. If another tag has it, in whatever case, the two are merged: all their codes have that tag.',
  ),
});

export const tagObject = z.object({
  name: ownText().describe('The tag, as it was first written.'),
  codes: z.number().int().describe('The number of codes that have it, without archived ones.'),
  createdAt: z.iso.datetime().describe('When it was first used: ISO 8601 in UTC.'),
});

export type TagObject = z.infer<typeof tagObject>;

export const tagList = z.object({
  data: z.array(tagObject).describe('The tags of this page, by name.'),
  pagination: z
    .object({
      limit: z.number().int().describe('The maximum number of tags in a page.'),
      cursor: ownText().nullable().describe('The `cursor` of this request; null for the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` for the next page; null on the last page.'),
    })
    .describe('This page, and how to get the next page.'),
});
