/** The documentation of the operations on serialized batches. */
import {
  batchJobList,
  batchList,
  batchObject,
  batchWithItems,
  mintAnswer,
  mintCountMax,
  serializedJob,
  serializedQuota,
} from '#schemas/api/serialized.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { afterResponse, disposition, furtherLimit, streamed } from '../../api/http/shared-docs.ts';

export const serializedTag = 'Serialized codes';

export const batchIdParam = {
  batchId: { description: 'The id of the batch.', example: 'batch_4nX5cPq7Rk2mQw8Z' },
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
  brandUrl: 'https://www.example.com',
  supportUrl: 'mailto:help@example.com',
  registerUrl: 'https://www.example.com/register',
};

/** As shown: a WebP, shortened. */
const productImage = 'data:image/webp;base64,UklGRiQBAABXRUJQVlA4…';

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
  summary: 'Get the quota of serialized items',
  description:
    'Returns the quota of the plan, the items bought in addition, and how many of both are minted. It ' +
    'works on every plan. A bought block counts at once.',
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
    `Mints a batch of up to ${mintCountMax.toLocaleString('en')} items. Each item has an id that cannot be ` +
    'guessed, and its own signed address. The items are taken from the quota at once, and written after ' +
    `the response: ${afterResponse}. If they cannot be written, the job and the batch are \`failed\`, no ` +
    'item is kept, and the quota is given back. The product, the brand and the links are for the ' +
    'verification page.',
  requestExamples: {
    product: {
      summary: 'With the details for the verification page',
      value: {
        batchName: 'Spring drop',
        count: 500,
        ...product,
        brandName: 'Example Shoes',
        productImage: 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEASABI…',
        brandUrl: exampleBatch.brandUrl,
        supportUrl: exampleBatch.supportUrl,
        registerUrl: exampleBatch.registerUrl,
      },
    },
    plain: { summary: 'A few items', value: { batchName: 'Samples', count: 3 } },
  },
  responses: {
    202: {
      description: 'The batch is accepted. Its items are written after this response',
      schema: mintAnswer,
      example: { jobId, batchId, count: 500 },
      headers: { location: 'The URL of the job' },
    },
  },
  refusals: {
    402: 'The batch has more items than are left in the quota',
    409: 'The `Idempotency-Key` was used with another body, or the GTIN belongs to another workspace',
  },
  refusalExamples: {
    402: {
      error: 'count must be at most what remains of the quota: 120 of 10000 items remain; given: 500',
      code: 'ALLOTMENT_EXCEEDED',
    },
    409: { error: 'Idempotency-Key was used before, for a different request', code: 'CONFLICT' },
  },
};

const exampleJob = {
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
};

export const jobDocs: OperationDocs = {
  id: 'getSerializedJob',
  tag: serializedTag,
  summary: 'Get a job of a serialized batch',
  description: `Returns the progress of a mint or an export: ${afterResponse}.`,
  params: { jobId: { description: 'The id of the job.', example: jobId } },
  responses: {
    200: {
      description: 'The current state of the job',
      schema: serializedJob,
      example: exampleJob,
    },
  },
};

export const listBatchJobsDocs: OperationDocs = {
  id: 'listSerializedJobs',
  tag: serializedTag,
  summary: 'List the jobs of a serialized batch',
  description: 'Lists the mint of a batch and the exports of its images and sheets, newest first.',
  params: batchIdParam,
  responses: {
    200: {
      description: 'A page of jobs',
      schema: batchJobList,
      example: {
        data: [{ ...exampleJob, status: 'completed', itemsWritten: 500, resultReady: true }],
        pagination: { limit: 100, cursor: null, nextCursor: null },
      },
    },
  },
};

export const listBatchesDocs: OperationDocs = {
  id: 'listSerializedBatches',
  tag: serializedTag,
  summary: 'List serialized batches',
  description:
    'Lists all batches of the workspace without their items, newest first. Failed batches are included.',
  responses: {
    200: { description: 'The batches', schema: batchList, example: { batches: [exampleBatch] } },
  },
  furtherLimit,
};

export const readBatchDocs: OperationDocs = {
  id: 'getSerializedBatch',
  tag: serializedTag,
  summary: 'Get a serialized batch and its items',
  description:
    'Returns a batch with a page of its items, in the order in which they were minted. The order never ' +
    'changes. `items.csv` has all items.',
  params: batchIdParam,
  responses: {
    200: {
      description: 'The batch, with a page of its items',
      schema: batchWithItems,
      example: { ...exampleBatch, productImage, items: [exampleItem], nextCursor: null },
    },
  },
};

export const updateBatchDocs: OperationDocs = {
  id: 'updateSerializedBatch',
  tag: serializedTag,
  summary: 'Update a serialized batch',
  description:
    'Updates the name of a batch, its `notice` that the items are recalled or stolen, and the picture and ' +
    'the links of their verification page. Only the fields that are sent are updated, and `null` unsets ' +
    'one. The pages show the change within a second or two. The verification of each item shows the notice first, whatever the ' +
    'verdict. A notice stops neither claims nor counting: the first scan of an item under a notice remains ' +
    'its first scan, even after the notice is removed. A body with nothing but a `notice` works on every ' +
    'plan, so that a recall can be announced and ended after a downgrade.',
  params: batchIdParam,
  requestExamples: {
    recalled: { summary: 'All items are recalled', value: { notice: 'recalled' } },
    links: {
      summary: 'The page links to the support, and no longer to a registration',
      value: { supportUrl: 'tel:+4930123456', registerUrl: null },
    },
    withdrawn: { summary: 'The notice is removed', value: { notice: null } },
  },
  responses: {
    200: {
      description: 'The updated batch',
      schema: batchObject,
      example: { ...exampleBatch, productImage, notice: 'recalled' },
    },
  },
};

export const itemFileDocs: OperationDocs = {
  id: 'exportSerializedItems',
  tag: serializedTag,
  summary: 'Export the items of a serialized batch',
  description:
    'Exports all items of a batch in the order in which they were minted, with the columns `itemId`, ' +
    '`url`, `productSku` and `productName`. The CSV is UTF-8 without a byte order mark, separated by ' +
    'commas, with a header line. A cell that a spreadsheet program would read as a formula begins with an ' +
    `apostrophe. ${streamed}`,
  params: batchIdParam,
  responses: {
    200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition },
  },
  refusals: {
    409: 'The batch is still minting, or minting has failed',
    422: '`uriFormat` is `gs1`, but the batch has no `gtin`',
  },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit,
};
