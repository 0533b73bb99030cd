/** Folders of codes. */
import { z } from 'zod';
import { boundedText, ownText, requiredLabel, wholeNumberParameter } from './text.ts';

export const foldersMax = 1_000;
const folderNameLengthMax = 120;
/** Ours have 21 characters. */
const folderIdLengthMax = 40;

/** The folder of a code in a body. `null` means none. */
export const folderId = boundedText(folderIdLengthMax).nullable();

/** A query parameter: a folder, or `none`. */
export const folderParameter = () => boundedText(folderIdLengthMax);

const name = requiredLabel(folderNameLengthMax).describe('The name of the folder.');

export const createFolderBody = z.strictObject({ name });
export const updateFolderBody = z.strictObject({ name });

export const folderListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of folders in a page.'),
  cursor: boundedText(1_000)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

export const folderObject = z.object({
  id: ownText().describe('The id of the folder: `fold_…`.'),
  name: ownText().describe('The name of the folder.'),
  codes: z.number().int().describe('The number of codes in it, without archived ones.'),
  createdAt: z.iso.datetime().describe('When the folder was created: ISO 8601 in UTC.'),
  updatedAt: z.iso.datetime().describe('When the folder was last renamed: ISO 8601 in UTC.'),
});

export type FolderObject = z.infer<typeof folderObject>;

export const folderList = z.object({
  data: z.array(folderObject).describe('The folders of this page, newest first.'),
  pagination: z
    .object({
      total: z.number().int().describe('The number of folders.'),
      limit: z.number().int().describe('The maximum number of folders in a page.'),
      cursor: ownText().nullable().describe('The `cursor` of this request; null for the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` for the next page; null on the last page.'),
    })
    .describe('This page, and how to get the next page.'),
});
