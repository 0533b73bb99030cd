/** The documentation of the exports of pictures. */
import { serializedJob } from '#schemas/api/serialized.ts';
import { imageExportAnswer, imageExportDays } from '#schemas/api/serialized-images.ts';
import { furtherLimit } from '../../../http/attachment-docs.ts';
import type { OperationDocs, ResponseDocs } from '../../../http/operation.ts';
import { batchIdParam, serializedTag, stillMintingExample } from '../docs.ts';

const batchId = batchIdParam.batchId.example;
const jobId = 'szip_9Zt3vLw6Hn8RfYqK';
const jobIdParam = { jobId: { description: 'The id of the job', example: jobId } };

export const exportDocs: OperationDocs = {
  id: 'exportSerializedImages',
  tag: serializedTag,
  summary: 'Draw the pictures of a serialized batch',
  description:
    'Draws one picture for each item after it has answered, in any style, and puts them into one zip: ask for the job until `resultReady` is true, then download it. ' +
    'The look is proven before the answer, with the picture of one item, and holds for all: a brand kit that is changed later changes nothing. All symbols have the ' +
    'same number of modules. A picture whose logo would hide too much of its code has a smaller one; `warnings` says so where the first item’s has. `png` in black and white squares has one bit a pixel. ' +
    'Exports of a workspace are done one after the other; `DELETE` of the job cancels one.',
  params: batchIdParam,
  requestExamples: {
    svg: { summary: 'Plain SVG', value: {} },
    png: { summary: 'PNG of 512 pixels', value: { format: 'png', width: 512 } },
    styled: { summary: 'In a style', value: { format: 'svg', preset: 'soft' } },
  },
  responses: {
    202: {
      description: 'The export is accepted; the pictures are drawn after this answer',
      schema: imageExportAnswer,
      example: { jobId, batchId, format: 'svg', count: 500 },
      headers: { location: 'The URL of the job' },
    },
  },
  refusals: { 409: 'The batch is still minting, or its minting failed' },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit: '20 exports of the workspace are unfinished, or so much is kept as the plan allows',
};

const zip = (description: string, headers: Record<string, string> = {}): ResponseDocs => ({
  description,
  contentTypes: ['application/zip'],
  headers: {
    etag: 'Names this zip; for If-Range',
    'accept-ranges': '`bytes`: a part of it can be asked for by Range',
    'content-disposition': 'The name of the file',
    ...headers,
  },
});

export const downloadDocs: OperationDocs = {
  id: 'downloadSerializedImages',
  tag: serializedTag,
  summary: 'Download the pictures of a serialized batch as a zip',
  description:
    `One picture for each item, named by its id: \`{itemId}.svg\` or \`{itemId}.png\`, in the order in which the items were minted. The zip can be fetched as often as you like for ${imageExportDays} days; ` +
    'a download that broke off is resumed by `Range` and `If-Range`.',
  params: batchIdParam,
  responses: {
    200: zip('The zip'),
    206: zip('The part of it that Range asks for', {
      'content-range': 'Which bytes they are, and how many there are',
    }),
    304: { description: 'It is the one that If-None-Match names' },
  },
  refusals: {
    404: `There is no such batch or export of it, or its zip was removed after ${imageExportDays} days or by DELETE of its job`,
    409: 'Not all pictures are drawn; try again after `Retry-After` seconds. Or the export has failed',
    412: 'It is not the one that If-Match names',
    416: 'Range begins after its end',
  },
  refusalExamples: {
    409: { error: `${jobId} is not completed: 120 of 500 images are drawn`, code: 'CONFLICT' },
  },
  furtherLimit,
};

export const cancelDocs: OperationDocs = {
  id: 'cancelSerializedJob',
  tag: serializedTag,
  summary: 'Cancel an export of a serialized batch, or remove what it has made',
  description:
    'An export that is under way stops: its status is `failed`, and its `error` says that it was cancelled. Of one that is completed, the result is removed before its time. ' +
    'What was stored of it is gone, and the room is free for others. A second call changes nothing. A mint cannot be cancelled.',
  params: jobIdParam,
  responses: {
    200: {
      description: 'The job as it is now',
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
