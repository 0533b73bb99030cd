/** The documentation of the exports of pictures. */
import { serializedJob } from '#schemas/api/serialized.ts';
import { imageExportAnswer, imageExportDays } from '#schemas/api/serialized-images.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import {
  afterResponse,
  furtherLimit,
  storedFile,
  storedFileRefusals,
} from '../../../api/http/shared-docs.ts';
import { batchIdParam, serializedTag, stillMintingExample } from '../docs.ts';

const batchId = batchIdParam.batchId.example;
const jobId = 'szip_9Zt3vLw6Hn8RfYqK';
const jobIdParam = { jobId: { description: 'The id of the job.', example: jobId } };

export const exportDocs: OperationDocs = {
  id: 'exportSerializedImages',
  tag: serializedTag,
  summary: 'Draw the pictures of a serialized batch',
  description:
    'Draws one picture for each item of a batch, in any style, into one zip. The pictures are drawn after ' +
    `the response: ${afterResponse}. If \`resultReady\` is true, the zip can be downloaded. The exports of ` +
    'a workspace are done one after the other. `DELETE` of the job cancels an export.\n\n' +
    '- The look is checked before the response with the picture of one item, and applies to all. A later ' +
    'change of the brand kit has no effect.\n' +
    '- All symbols have the same number of modules.\n' +
    '- If a logo would hide too much of its code, it is drawn smaller. `warnings` says so if this applies ' +
    'to the first item.\n' +
    '- A `png` in black and white squares has one bit per pixel.',
  params: batchIdParam,
  requestExamples: {
    svg: { summary: 'Plain SVG', value: {} },
    png: { summary: 'PNG of 512 pixels', value: { format: 'png', width: 512 } },
    styled: { summary: 'In a style', value: { format: 'svg', preset: 'soft' } },
  },
  responses: {
    202: {
      description: 'The export is accepted. The pictures are drawn after this response',
      schema: imageExportAnswer,
      example: { jobId, batchId, format: 'svg', count: 500 },
      headers: { location: 'The URL of the job' },
    },
  },
  refusals: { 409: 'The batch is still minting, or minting has failed' },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit:
    '20 exports of the workspace are unfinished, or the workspace keeps as much as the plan allows',
};

export const downloadDocs: OperationDocs = {
  id: 'downloadSerializedImages',
  tag: serializedTag,
  summary: 'Download the pictures of a serialized batch',
  description:
    'Returns a zip with one picture for each item, named after its id (`{itemId}.svg` or `{itemId}.png`), ' +
    `in the order in which the items were minted. The zip can be downloaded for ${imageExportDays} days: ` +
    'see “Downloads” in the introduction.',
  params: batchIdParam,
  responses: storedFile('application/zip', 'zip'),
  refusals: {
    404:
      `The batch or the export does not exist, or the zip was removed after ${imageExportDays} days or by ` +
      'DELETE of its job',
    409: 'Not all pictures are drawn: retry after `Retry-After` seconds. Or the export has failed',
    ...storedFileRefusals('zip'),
  },
  refusalExamples: {
    409: { error: `${jobId} is not completed: 120 of 500 images are drawn`, code: 'CONFLICT' },
  },
  furtherLimit,
};

export const cancelDocs: OperationDocs = {
  id: 'cancelSerializedJob',
  tag: serializedTag,
  summary: 'Cancel or remove a serialized export',
  description:
    'Cancels an export that is in progress: its `status` becomes `failed`, and its `error` says that it ' +
    'was cancelled. If the export is completed, its result is removed early. The stored data is deleted, ' +
    'and its storage is free for other exports. Repeating the call changes nothing. A mint cannot be ' +
    'cancelled.',
  params: jobIdParam,
  responses: {
    200: {
      description: 'The current state of the job',
      schema: serializedJob,
      example: {
        jobId,
        jobType: 'image_export',
        status: 'failed',
        count: 500,
        itemsWritten: 120,
        batchId,
        imageFormat: 'svg',
        resultReady: false,
        createdAt: 1777896000000,
        updatedAt: 1777896000400,
        error: 'It was cancelled',
      },
    },
  },
  refusals: { 409: 'The job is a mint' },
  refusalExamples: {
    409: {
      error: 'sjob_7Rk2mQw8Z4nX5cPq is a mint, which cannot be cancelled; exports can',
      code: 'CONFLICT',
    },
  },
};
