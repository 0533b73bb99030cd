/** The history of a code, as the API takes and returns it. */
import { z } from 'zod';
import { actorObject } from './actors.ts';
import { wholeNumber } from './numbers.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

const cursorLengthMax = 100;
/** What PostgreSQL's integers hold: more than any code has. */
const versionMax = 2_147_483_647;

export const historyQuery = z.object({
  limit: wholeNumberParameter(1, 100)
    .default(25)
    .describe(
      'The maximum number of entries in a page. A page ends earlier if its entries have more than 256 KB.',
    ),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

export const revertBody = z.strictObject({
  version: wholeNumber(1, versionMax).describe('The `version` of an entry of the history.'),
});

const changeEntry = z.object({
  field: ownText().describe(
    'The field of the code, such as `destination`. A key of the style is `style.` and its name, such as `style.frame`.',
  ),
  from: z
    .unknown()
    .describe('The value before. Null if there was none. A logo is `sha256:` and the hash of its text.'),
  to: z
    .unknown()
    .describe(
      'The value after. Null if there is none. For `password` it is `set`, `changed` or `removed`: passwords are kept nowhere.',
    ),
});
export type ChangeEntry = z.output<typeof changeEntry>;

export const historyEntry = z.object({
  version: z.int().describe('The version that the change made. The creation is version 1.'),
  at: z.iso.datetime().describe('When it was made (ISO 8601, UTC).'),
  by: actorObject.nullable().describe('Who made it. Null if that was not recorded then.'),
  action: z.enum(['created', 'changed']).describe('Whether the code was created or changed.'),
  changes: z.array(changeEntry).describe('What changed, by field. Empty for the creation.'),
});
export type HistoryEntry = z.output<typeof historyEntry>;

export const codeHistory = z.object({
  data: z.array(historyEntry).describe('A page of the history, newest first.'),
  pagination: z
    .object({
      limit: z.int().describe('The largest number of entries in the page.'),
      cursor: ownText().nullable().describe('The `cursor` of the request. Null on the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
    })
    .describe('The position of the page.'),
});
export type CodeHistory = z.output<typeof codeHistory>;
