/** Serialized batches, their items and jobs, and the quota, as the API takes and returns them. */
import { z } from 'zod';
import { batchNotices, productImageBytesMax, productImageSide } from '../verification.ts';
import { describedLike } from './described-like.ts';
import { clearableLabel, visibleLabel } from './hosted-fields.ts';
import { dataUrlLengthMax } from './landing-image.ts';
import { whyNoLink } from './links.ts';
import { wholeNumber } from './numbers.ts';
import { gtin } from './payloads.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';
import { clearableWebUrl, emptyToNull } from './web-address.ts';

/** Items per batch. */
export const mintCountMax = 50_000;
/** Items per page. */
export const itemPageMax = 500;
const batchNameLengthMax = 120;
const productFieldLengthMax = 200;
/** Of a link: three of the longest and a picture fit into the page. */
const urlLengthMax = 500;
/** Twice the length of our cursors. */
const cursorLengthMax = 60;

/** Other texts are not ids: they are not looked up. */
export const batchIdShape = /^batch_[1-9A-HJ-NP-Za-km-z]{16}$/;

const batchName = visibleLabel(batchNameLengthMax);

const productField = clearableLabel(productFieldLengthMax);

const gtin14 = (text: string | null): string | null => (text ? text.padStart(14, '0') : null);

/** A link that an empty text or null clears. */
const clearableLink = boundedText(urlLengthMax)
  .superRefine((text, context) => {
    const message = text === '' ? undefined : whyNoLink(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .nullable()
  .transform(emptyToNull);

/** What the verification page shows apart from the names; an empty text or null unsets a field. */
const brandFields = {
  productImage: boundedText(dataUrlLengthMax)
    .nullable()
    .transform(emptyToNull)
    .optional()
    .describe(
      'A picture of the product as a data URI, `data:image/jpeg;base64,…`: a PNG, JPEG, GIF or WebP file of ' +
        'at most 5 MB, in base64 without line breaks. Its middle square is shown beside the product name. ' +
        '`null` or an empty text means none.',
    ),
  brandUrl: clearableWebUrl(urlLengthMax)
    .optional()
    .describe(
      'The site of the brand: an http or https URL. The verification page links to it. `null` or an empty ' +
        'text means none.',
    ),
  supportUrl: clearableLink
    .optional()
    .describe(
      'Where a buyer can ask the brand: an `http:`, `https:`, `tel:` or `mailto:` URL, for a button on the ' +
        'verification page. If the items are recalled or stolen, it is the first button. `null` or an ' +
        'empty text means none.',
    ),
  registerUrl: clearableWebUrl(urlLengthMax)
    .optional()
    .describe(
      'Where a buyer registers the product: an http or https URL. Only the first scan of an item, and ' +
        'further ones by the same device within ten minutes, show this button. `null` or an empty text ' +
        'means none.',
    ),
};

export const mintBody = z.strictObject({
  batchName: batchName.describe('A label for your own use.'),
  count: wholeNumber(1, mintCountMax).describe('The number of items.'),
  productSku: productField.describe('The SKU of the product. It is shown when an item is verified.'),
  productName: productField.describe('The name of the product. It is shown when an item is verified.'),
  gtin: z
    .preprocess((value) => (value === '' ? null : value), gtin.nullable())
    .transform(gtin14)
    .optional()
    .describe(
      'The GTIN of the product: 8, 12, 13 or 14 digits, including the check digit. It is stored and shown ' +
        'with 14 digits. With it, the items also have a GS1 Digital Link, and the GTIN belongs to the ' +
        'workspace.',
    ),
  brandName: productField.describe(
    'The name above the host and in the issued-for line of the verification page. If omitted, the line is a ' +
      'general one.',
  ),
  ...brandFields,
});

export type MintBody = z.output<typeof mintBody>;

export const mintAnswer = z.object({
  jobId: ownText().describe('The id of the mint job, `sjob_…`.'),
  batchId: ownText().describe('The id of the batch, `batch_…`.'),
  count: z.int().describe('The number of items to mint.'),
});

export type MintAnswer = z.output<typeof mintAnswer>;

export const batchStatuses = ['minting', 'completed', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

const shownText = ownText().nullable();
const epochMs = z.int();

const notice = z.enum(batchNotices);
const noticeText =
  'A notice about all items of the batch, shown when one is verified: they are `recalled`, or were ' +
  '`stolen`. Items are still claimed, and scans still count.';

const summaryFields = describedLike(mintBody.shape, {
  batchId: ownText().describe('The id of the batch, `batch_…`.'),
  batchName: ownText(),
  count: z.int(),
  scanned: z.int().describe('How many of its items were scanned at least once.'),
  status: z
    .enum(batchStatuses)
    .describe(
      '`minting` until all items are written, then `completed`. `failed` if they cannot be written: the ' +
        'batch then has no items, and the quota is given back.',
    ),
  productSku: shownText,
  productName: shownText,
  gtin: shownText,
  createdAt: epochMs.describe('When it was minted, in milliseconds since 1970.'),
  brandName: ownText().optional(),
  notice: notice.optional().describe(noticeText),
  brandUrl: ownText().optional(),
  supportUrl: ownText().optional(),
  registerUrl: ownText().optional(),
});

const objectFields = {
  ...summaryFields,
  productImage: ownText()
    .optional()
    .describe(
      `The picture of the product as a data URI: a WebP of at most ${productImageSide} × ${productImageSide} ` +
        `pixels and ${productImageBytesMax} bytes, made from the file that was sent. Lists of batches do not have it.`,
    ),
};

export const batchSummary = z.object(summaryFields);

export type BatchSummary = z.output<typeof batchSummary>;

/** A batch by itself. */
export const batchObject = z.object(objectFields);

export type BatchObject = z.output<typeof batchObject>;

export const updateBatchBody = z.strictObject({
  batchName: mintBody.shape.batchName.optional(),
  notice: notice.nullable().optional().describe(`${noticeText} \`null\` removes it.`),
  ...brandFields,
});

export type UpdateBatchBody = z.output<typeof updateBatchBody>;

export const serializedItem = z.object({
  itemId: ownText().describe('The id of the item, 12 characters.'),
  url: ownText().describe('The printed address, at which the item is verified.'),
  productSku: shownText.describe('The SKU of its batch.'),
  productName: shownText.describe('The product name of its batch.'),
  scanCount: z.int().describe('How often people have scanned it.'),
  firstScannedAt: epochMs
    .nullable()
    .describe('When it was first scanned, in milliseconds since 1970. `null` if it was not.'),
  firstScanCountry: shownText.describe(
    'The country of the first scan (ISO 3166-1 alpha-2). `null` if there was no scan, or the country is ' +
      'unknown.',
  ),
});

export type SerializedItem = z.output<typeof serializedItem>;

export const batchWithItems = z.object({
  ...objectFields,
  items: z
    .array(serializedItem)
    .describe(
      'A page of its items, in the order in which they were minted. While the batch is `minting`, it has ' +
        'only the items written so far.',
    ),
  nextCursor: shownText.describe(
    'The `cursor` of the next page. `null` on the last page. While the batch is `minting`, more items may ' +
      'come.',
  ),
});

const uriFormats = ['url', 'gs1'] as const;
export type UriFormat = (typeof uriFormats)[number];

/** The content of an item's symbol. */
export const uriFormat = z
  .enum(uriFormats)
  .default('url')
  .describe(
    'The content of the codes. `url`: `{qr_host}/v/{itemId}/{signature}`. `gs1`: the GS1 Digital Link ' +
      '`{qr_host}/01/{gtin}/21/{serial}`, for a batch with a `gtin`.',
  );

/** Batches per page. */
export const batchPageMax = 500;

const cursor = boundedText(cursorLengthMax).optional();

export const batchListQuery = z.object({
  status: z.enum(batchStatuses).optional().describe('Only batches with this status.'),
  limit: wholeNumberParameter(1, batchPageMax)
    .optional()
    .describe(
      'The largest number of batches in the page. If both `limit` and `cursor` are omitted, the list is ' +
        'complete.',
    ),
  cursor: cursor.describe('The `nextCursor` of the previous page. Send the same `status` with it.'),
});

export type BatchListQuery = z.output<typeof batchListQuery>;

export const itemListQuery = z.object({
  limit: wholeNumberParameter(1, itemPageMax)
    .default(itemPageMax)
    .describe('The largest number of items in the page.'),
  cursor: cursor.describe('The `nextCursor` of the previous page.'),
});

export const itemFileQuery = z.object({ uriFormat });

export const serializedJobTypes = ['mint', 'image_export', 'sheet_export'] as const;
export type SerializedJobType = (typeof serializedJobTypes)[number];

export const jobStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const serializedJob = z.object({
  jobId: ownText().describe(
    'The id of the job: `sjob_…` for a mint, `szip_…` for an export of images, `ssheet_…` for an export ' +
      'of sheets.',
  ),
  jobType: z.enum(serializedJobTypes).describe('What the job does.'),
  status: z
    .enum(jobStatuses)
    .describe('`pending` until the work begins, then `processing`. `completed` and `failed` are final.'),
  count: z.int().describe('The number of items to write.'),
  itemsWritten: z.int().describe('The number of items written so far.'),
  batchId: ownText().describe('The id of its batch.'),
  imageFormat: shownText.describe('The format of the images. `null` unless the job is an export of images.'),
  resultReady: z
    .boolean()
    .describe('Whether the result can be fetched: the items of a mint, or the file of an export.'),
  createdAt: epochMs.describe('When it was created, in milliseconds since 1970.'),
  updatedAt: epochMs.describe('When it last made progress, in milliseconds since 1970.'),
  error: ownText().optional().describe('Why it failed. Present only if it is `failed`.'),
});

export type SerializedJob = z.output<typeof serializedJob>;

/** Jobs per page. */
const jobPageMax = 100;

export const batchJobQuery = z.object({
  jobType: z.enum(serializedJobTypes).optional().describe('Only jobs that do this.'),
  limit: wholeNumberParameter(1, jobPageMax)
    .default(jobPageMax)
    .describe('The largest number of jobs in the page.'),
  cursor: cursor.describe(
    'The `pagination.nextCursor` of the previous page. Send the same `jobType` with it.',
  ),
});

export type BatchJobQuery = z.output<typeof batchJobQuery>;

/** The position of a page of the jobs or the marked items of a batch. */
export const batchPagination = z
  .object({
    limit: z.int().describe('The largest number of entries in the page.'),
    cursor: shownText.describe('The `cursor` of the request. `null` on the first page.'),
    nextCursor: shownText.describe('The `cursor` of the next page. `null` on the last page.'),
  })
  .describe('The position of the page.');

export const batchJobList = z.object({
  data: z.array(serializedJob).describe('The jobs of the batch, newest first: its mint is the last one.'),
  pagination: batchPagination,
});

export type BatchJobList = z.output<typeof batchJobList>;

export const serializedQuota = z.object({
  serializedEnabled: z.boolean().describe('Whether the plan includes serialized codes.'),
  apiName: ownText().describe('The name of the capability.'),
  allotment: z.int().describe('The items that the plan includes.'),
  purchased: z.int().describe('The items that were bought in addition.'),
  minted: z
    .int()
    .describe('The items that are minted or being minted. A mint that fails gives its items back.'),
  total: z.int().describe('`allotment` plus `purchased`.'),
  remaining: z.int().describe('`total` minus `minted`. It can be negative after a change to a smaller plan.'),
});

export type SerializedQuota = z.output<typeof serializedQuota>;

export const batchList = z.object({
  batches: z.array(batchSummary).describe('The serialized batches of the workspace, newest first.'),
  nextCursor: ownText()
    .nullable()
    .optional()
    .describe(
      'The `cursor` of the next page. `null` on the last page. Present only with `limit` or `cursor`.',
    ),
});
