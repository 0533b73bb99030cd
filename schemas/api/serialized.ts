/** Serialized batches, their items and jobs, and the quota, as the API takes and returns them. */
import { z } from 'zod';
import { batchNotices } from '../verification.ts';
import { described } from './described.ts';
import { visibleLabel } from './hosted-fields.ts';
import { wholeNumber } from './numbers.ts';
import { gtin } from './payloads.ts';
import {
  batchItemTexts,
  batchListTexts,
  batchOwnTexts,
  batchTexts,
  itemQueryTexts,
  itemTexts,
  jobTexts,
  quotaTexts,
} from './serialized-texts.ts';
import { boundedText, label, ownText, wholeNumberParameter } from './text.ts';

/** Items per batch. */
export const mintCountMax = 50_000;
/** Items per page. */
export const itemPageMax = 500;
const batchNameLengthMax = 120;
const productFieldLengthMax = 200;
/** Twice the length of our cursors. */
const cursorLengthMax = 60;

/** Other texts are not ids: they are not looked up. */
export const batchIdShape = /^batch_[1-9A-HJ-NP-Za-km-z]{16}$/;

const batchName = visibleLabel(batchNameLengthMax);

/** An empty text or null means none. */
const productField = label(productFieldLengthMax)
  .nullable()
  .transform((text) => text || null)
  .optional();

const gtin14 = (text: string | null): string | null => (text ? text.padStart(14, '0') : null);

export const mintBody = z.strictObject(
  described(
    {
      batchName,
      count: wholeNumber(1, mintCountMax),
      productSku: productField,
      productName: productField,
      gtin: z
        .preprocess((value) => (value === '' ? null : value), gtin.nullable())
        .transform(gtin14)
        .optional(),
      brandName: productField,
    },
    batchTexts,
  ),
);

export type MintBody = z.output<typeof mintBody>;

export const mintAnswer = z.object(
  described(
    { jobId: ownText(), batchId: ownText(), count: z.int() },
    {
      jobId: 'The id of the mint job, `sjob_…`.',
      batchId: 'The id of the batch, `batch_…`.',
      count: 'How many items are minted.',
    },
  ),
);

export type MintAnswer = z.output<typeof mintAnswer>;

export const batchStatuses = ['minting', 'completed', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

const shownText = ownText().nullable();
const epochMs = z.int();

const summaryFields = {
  batchId: ownText(),
  batchName: ownText(),
  count: z.int(),
  scanned: z.int(),
  status: z.enum(batchStatuses),
  productSku: shownText,
  productName: shownText,
  gtin: shownText,
  createdAt: epochMs,
  brandName: ownText().optional(),
  notice: z.enum(batchNotices).optional(),
};

const summaryTexts = { ...batchTexts, ...batchOwnTexts };

export const batchSummary = z.object(described(summaryFields, summaryTexts));

export type BatchSummary = z.output<typeof batchSummary>;

export const updateBatchBody = z.strictObject(
  described(
    { batchName: batchName.optional(), notice: z.enum(batchNotices).nullable().optional() },
    { batchName: batchTexts.batchName, notice: `${batchOwnTexts.notice} \`null\` takes it back.` },
  ),
);

export type UpdateBatchBody = z.output<typeof updateBatchBody>;

export const serializedItem = z.object(
  described(
    {
      itemId: ownText(),
      url: ownText(),
      productSku: shownText,
      productName: shownText,
      scanCount: z.int(),
      firstScannedAt: epochMs.nullable(),
      firstScanCountry: shownText,
    },
    itemTexts,
  ),
);

export type SerializedItem = z.output<typeof serializedItem>;

export const batchWithItems = z.object(
  described(
    { ...summaryFields, items: z.array(serializedItem), nextCursor: shownText },
    { ...summaryTexts, ...batchItemTexts },
  ),
);

/** The content of an item's symbol. */
export const uriFormats = ['url', 'gs1'] as const;
export type UriFormat = (typeof uriFormats)[number];

/** Batches per page. */
export const batchPageMax = 500;

export const batchListQuery = z.object(
  described(
    {
      status: z.enum(batchStatuses).optional(),
      limit: wholeNumberParameter(1, batchPageMax).optional(),
      cursor: boundedText(cursorLengthMax).optional(),
    },
    batchListTexts,
  ),
);

export type BatchListQuery = z.output<typeof batchListQuery>;

export const itemListQuery = z.object(
  described(
    {
      limit: wholeNumberParameter(1, itemPageMax).default(itemPageMax),
      cursor: boundedText(cursorLengthMax).optional(),
    },
    itemQueryTexts,
  ),
);

export const itemFileQuery = z.object(
  described(
    { uriFormat: z.enum(uriFormats).default('url') },
    {
      uriFormat:
        '`url` for `{qr_host}/v/{itemId}/{signature}`, `gs1` for the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}` of a batch with a `gtin`.',
    },
  ),
);

export const serializedJobTypes = ['mint', 'image_export', 'sheet_export'] as const;
export type SerializedJobType = (typeof serializedJobTypes)[number];

export const jobStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const serializedJob = z.object(
  described(
    {
      jobId: ownText(),
      jobType: z.enum(serializedJobTypes),
      status: z.enum(jobStatuses),
      count: z.int(),
      itemsWritten: z.int(),
      batchId: ownText(),
      imageFormat: shownText,
      resultReady: z.boolean(),
      createdAt: epochMs,
      updatedAt: epochMs,
      error: ownText().optional(),
    },
    jobTexts,
  ),
);

export type SerializedJob = z.output<typeof serializedJob>;

export const serializedQuota = z.object(
  described(
    {
      serializedEnabled: z.boolean(),
      apiName: ownText(),
      allotment: z.int(),
      purchased: z.int(),
      minted: z.int(),
      total: z.int(),
      remaining: z.int(),
    },
    quotaTexts,
  ),
);

export type SerializedQuota = z.output<typeof serializedQuota>;

export const batchList = z.object({
  batches: z
    .array(batchSummary)
    .meta({ description: 'The serialized batches of the workspace, newest first.' }),
  nextCursor: ownText().nullable().optional().meta({
    description: 'Only with `limit` or `cursor`: where the next page begins. `null` on the last page.',
  }),
});
