/** Single serialized items and the marks on them, as the API takes and returns them. */
import { z } from 'zod';
import { itemMarks } from '../verification.ts';
import { clearableText } from './hosted-fields.ts';
import { givenInstant } from './instants.ts';
import { batchPagination, itemListQuery, itemPageMax, serializedItem } from './serialized.ts';
import { boundedArray, boundedText, ownText } from './text.ts';

/** Items in one call. */
export const markedAtOnceMax = 500;
const noteLengthMax = 1_000;
/** Two clocks may differ. */
const aheadMsMax = 60_000;
/** Longer than an item's id: another text is no id, which costs only itself. */
const idLengthMax = 100;

const markState = z
  .enum(itemMarks)
  .describe('`recalled` or `stolen`: do not trust or use the item. `returned`: it was taken back.');

export const itemMarkBody = z.strictObject({
  state: markState,
  note: clearableText(noteLengthMax).describe(
    `A note for yourselves, at most ${noteLengthMax} characters. It is shown to no buyer. If omitted, there is none.`,
  ),
  markedAt: givenInstant
    .refine((at) => at.getTime() <= Date.now() + aheadMsMax, 'must not be in the future')
    .optional()
    .describe(
      'When it happened, not in the future. If omitted: when the state of the mark was last changed, which is now for a new state.',
    ),
});

export type ItemMarkBody = z.output<typeof itemMarkBody>;

export const markItemsBody = z.strictObject({
  itemIds: boundedArray(boundedText(idLengthMax), { min: 1, max: markedAtOnceMax }).describe(
    `The ids of items of the batch, at most ${markedAtOnceMax}.`,
  ),
  mark: itemMarkBody.nullable().describe('The mark that each of them gets. `null` removes the one it has.'),
});

export type MarkItemsBody = z.output<typeof markItemsBody>;

const epochMs = z.int();
const shownText = ownText().nullable();

export const itemMarkObject = z.object({
  state: markState,
  note: shownText.describe('The note. `null` if there is none.'),
  markedAt: epochMs.describe('When it happened, in milliseconds since 1970.'),
});

export type ItemMarkObject = z.output<typeof itemMarkObject>;

const claimStates = ['unclaimed', 'claimed'] as const;

export const serializedItemDetails = serializedItem.extend({
  batchId: ownText().describe('The id of its batch.'),
  position: z.int().describe('Its place in the batch, from 1, in the order in which the items were minted.'),
  serial: shownText.describe('Its serial (AI 21) in a GS1 Digital Link. `null` if the batch has no `gtin`.'),
  digitalLink: shownText.describe('Its GS1 Digital Link. `null` if the batch has no `gtin`.'),
  state: z
    .enum(claimStates)
    .describe('`unclaimed` until its first scan by a person, and `claimed` from then on.'),
  lastScannedAt: epochMs
    .nullable()
    .describe('When it was last scanned, in milliseconds since 1970. `null` if it was not.'),
  lastScanCountry: shownText.describe(
    'The country of that scan (ISO 3166-1 alpha-2). `null` if there was no scan, or the country is unknown.',
  ),
  mark: itemMarkObject.nullable().describe('Its mark. `null` if it has none.'),
});

export type SerializedItemDetails = z.output<typeof serializedItemDetails>;

export const markListQuery = itemListQuery.extend({
  state: z.enum(itemMarks).optional().describe('Only items with this mark.'),
  cursor: itemListQuery.shape.cursor.describe(
    'The `pagination.nextCursor` of the previous page. Send the same `state` with it.',
  ),
});

export type MarkListQuery = z.output<typeof markListQuery>;

export const markedItemList = z.object({
  data: z
    .array(serializedItemDetails)
    .max(itemPageMax)
    .describe('A page of the marked items, in the order in which they were minted.'),
  pagination: batchPagination,
});

export type MarkedItemList = z.output<typeof markedItemList>;

const changeStatuses = ['changed', 'unchanged'] as const;
const itemId = ownText().describe('The id as it was sent.');

const itemChanged = z
  .object({
    itemId,
    status: z.enum(changeStatuses).describe('`unchanged`: it was marked so before.'),
  })
  .meta({ id: 'ItemMarkDone', description: 'An item that is marked as requested.' });

const itemFailed = z
  .object({
    itemId,
    status: z.literal('failed').describe('It is no item of the batch.'),
    message: ownText().describe('What was wrong. It names the field.'),
    code: ownText().describe('The same for programs.'),
  })
  .meta({ id: 'ItemMarkFailed', description: 'An item that could not be marked. The others were.' });

const itemCount = z.int().min(0);

export const markItemsAnswer = z.object({
  changed: itemCount.describe('How many items got the mark, or lost theirs.'),
  unchanged: itemCount.describe('How many items were marked so before.'),
  failed: itemCount.describe('How many ids were refused.'),
  results: z
    .array(z.discriminatedUnion('status', [itemChanged, itemFailed]))
    .describe('The result of each id, in the order in which they were sent.'),
});

export type MarkItemsAnswer = z.output<typeof markItemsAnswer>;
