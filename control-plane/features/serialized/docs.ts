/** The documentation of the operations on serialized batches. */
import {
  batchList,
  batchSummary,
  batchWithItems,
  mintAnswer,
  mintCountMax,
  serializedJob,
  serializedQuota,
} from '#schemas/api/serialized.ts';
import { disposition, furtherLimit, sending } from '../../http/attachment-docs.ts';
import type { OperationDocs } from '../../http/operation.ts';
import { idempotency } from '../../idempotency/request.ts';

export const serializedTag = 'Serialized codes';

export const batchIdParam = {
  batchId: { description: 'The id of the batch', example: 'batch_4nX5cPq7Rk2mQw8Z' },
};

const batchId = batchIdParam.batchId.example;
const jobId = 'sjob_7Rk2mQw8Z4nX5cPq';

const product = { productSku: 'SNK-042', productName: 'Trail runner 42', gtin: '09506000134352' };

const exampleBatch = {
  batchId,
  batchName: 'Spring drop',
  count: 500,
  scanned: 0,
  status: 'completed',
  ...product,
  createdAt: 1777896000000,
  brandName: 'Example Shoes',
};

export const exampleItem = {
  itemId: '7Yh2kPq9RsTu',
  url: 'https://qr.example.com/v/7Yh2kPq9RsTu/2b4Cd6Ef8Gh1Jk3M',
  productSku: product.productSku,
  productName: product.productName,
  scanCount: 0,
  firstScannedAt: null,
  firstScanCountry: null,
};

export const stillMintingExample = {
  error: `The batch ${batchId} is still minting; wait until its status is completed`,
  code: 'CONFLICT',
};

export const consumptionDocs: OperationDocs = {
  id: 'getSerializedQuota',
  tag: serializedTag,
  summary: 'Read the quota of serialized items',
  description:
    'What the plan has, what was bought beside it, and how much of both is minted; on every plan. A block that was bought counts at once.',
  responses: {
    200: {
      description: 'The quota',
      schema: serializedQuota,
      example: {
        serializedEnabled: true,
        apiName: 'serializedQR',
        allotment: 10000,
        purchased: 1000,
        minted: 500,
        total: 11000,
        remaining: 10500,
      },
    },
  },
};

export const mintDocs: OperationDocs = {
  id: 'mintSerializedBatch',
  tag: serializedTag,
  summary: 'Mint a batch of serialized items',
  description:
    `Accepts a batch of up to ${mintCountMax.toLocaleString('en')} items, each with an id that cannot be guessed and a signed address of its own, and takes them from the quota at ` +
    'once. They are written after this answer: ask for the job until it is `completed`. Where they cannot be written, the job and the batch are `failed`, no item ' +
    'is kept, and the quota is given back.\n\n' +
    `With an \`Idempotency-Key\` of up to 200 characters a batch is minted once: for ${idempotency['Idempotency-Key'].validHours / 24} days the same key with the same body gets the same answer, ` +
    'with `Idempotency-Replayed: true`, and with another body 409.',
  requestExamples: {
    product: {
      summary: 'With what the verification page shows',
      value: { batchName: 'Spring drop', count: 500, ...product, brandName: 'Example Shoes' },
    },
    plain: { summary: 'A few items', value: { batchName: 'Samples', count: 3 } },
  },
  responses: {
    202: {
      description: 'The batch is accepted; its items are written after this answer',
      schema: mintAnswer,
      example: { jobId, batchId, count: 500 },
      headers: { location: 'The URL of the job' },
    },
  },
  refusals: {
    402: 'More items than remain of the quota',
    409: 'The `Idempotency-Key` was used before with another body, or the GTIN belongs to another workspace',
  },
  refusalExamples: {
    402: {
      error: 'count must be at most what remains of the quota: 120 of 10000 items remain; given: 500',
      code: 'ALLOTMENT_EXCEEDED',
    },
    409: { error: 'Idempotency-Key was used before, for a different request', code: 'CONFLICT' },
  },
};

export const jobDocs: OperationDocs = {
  id: 'getSerializedJob',
  tag: serializedTag,
  summary: 'Read a job of a serialized batch',
  description: 'How far a mint or an export is: ask about once a second until it is `completed` or `failed`.',
  params: { jobId: { description: 'The id of the job', example: jobId } },
  responses: {
    200: {
      description: 'The job as it is now',
      schema: serializedJob,
      example: {
        jobId,
        jobType: 'mint',
        status: 'processing',
        count: 500,
        itemsWritten: 250,
        batchId,
        imageFormat: null,
        resultReady: false,
        createdAt: 1777896000000,
        updatedAt: 1777896000400,
      },
    },
  },
};

export const listBatchesDocs: OperationDocs = {
  id: 'listSerializedBatches',
  tag: serializedTag,
  summary: 'List the serialized batches',
  description:
    'All batches of the workspace, newest first, without their items; those that failed, too. With `limit` they come a page at a time.',
  responses: {
    200: { description: 'The batches', schema: batchList, example: { batches: [exampleBatch] } },
  },
  furtherLimit,
};

export const readBatchDocs: OperationDocs = {
  id: 'getSerializedBatch',
  tag: serializedTag,
  summary: 'Read a serialized batch and its items',
  description:
    'The batch with a page of its items, in the order in which they were minted, which never changes. `items.csv` has all of them.',
  params: batchIdParam,
  responses: {
    200: {
      description: 'The batch, with a page of its items',
      schema: batchWithItems,
      example: { ...exampleBatch, items: [exampleItem], nextCursor: null },
    },
  },
};

export const updateBatchDocs: OperationDocs = {
  id: 'updateSerializedBatch',
  tag: serializedTag,
  summary: 'Rename a serialized batch, or say that it is recalled or stolen',
  description:
    'Changes the fields that are sent. With a `notice`, the verification of each of its items says so first, whatever the verdict. ' +
    'It stops neither claims nor counting: the first scan of an item under a notice is its first scan for good, also once the notice is taken back. ' +
    'A body with nothing but a `notice` needs no plan, so that a recall can be announced and taken back after a downgrade.',
  params: batchIdParam,
  requestExamples: {
    recalled: { summary: 'All items are recalled', value: { notice: 'recalled' } },
    withdrawn: { summary: 'The notice is taken back', value: { notice: null } },
  },
  responses: {
    200: {
      description: 'The batch as it is now',
      schema: batchSummary,
      example: { ...exampleBatch, notice: 'recalled' },
    },
  },
};

export const itemFileDocs: OperationDocs = {
  id: 'exportSerializedItems',
  tag: serializedTag,
  summary: 'Export the items of a serialized batch',
  description:
    'All items of the batch in the order in which they were minted: `itemId`, `url`, `productSku`, `productName`. The CSV is UTF-8 without a byte order mark, ' +
    'with commas and a first line with these names. A cell that a spreadsheet program would take for a formula has an apostrophe in front. ' +
    sending,
  params: batchIdParam,
  responses: {
    200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition },
  },
  refusals: {
    409: 'The batch is still minting, or its minting failed',
    422: '`uriFormat` is `gs1`, and the batch has no `gtin`',
  },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit,
};
