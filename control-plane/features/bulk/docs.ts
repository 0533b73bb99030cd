/** The documentation of bulk operations. */
import { z } from 'zod';
import { bulkProgress, bulkResultEntry, bulkRowsMax, uid } from '#schemas/api/bulk.ts';
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { OperationDocs } from '../../http/operation.ts';
import {
  bulkIdParam,
  bulkTag,
  callRefusalExamples,
  exampleProgress,
  notCompletedExample,
  submittedResponse,
} from './engine/docs.ts';

/** A row of the create call. */
export const bulkRowSchema = (row: ReturnType<typeof createCodeBodies>['row']) =>
  row.safeExtend({ uid: uid.meta({ description: 'Names the row in the result; unique in the call.' }) });

export type BulkRowSchema = ReturnType<typeof bulkRowSchema>;

export const bulkDocs = (row: BulkRowSchema): OperationDocs => ({
  id: 'createCodesInBulk',
  tag: bulkTag,
  summary: 'Create many dynamic codes',
  description:
    `Takes up to ${bulkRowsMax} rows, each the body of a create with a \`uid\`, and makes their codes one after the other after it has ` +
    'answered. A row that is refused does not hold up the others: the result says which, and why. The call as a whole is refused where it is ' +
    'no array of rows, a `uid` is missing or comes twice, a `preset` does not exist, a brand kit is not the caller’s, or the quota has ' +
    'not enough dynamic codes left for all rows.',
  requestSchema: z.array(row).min(1).max(bulkRowsMax),
  requestExamples: {
    labels: {
      summary: 'Two labels',
      value: [
        { uid: 'table-1', data: 'https://example.com/menu?table=1', preset: 'menu' },
        { uid: 'table-2', data: 'https://example.com/menu?table=2', preset: 'menu' },
      ],
    },
  },
  responses: {
    202: submittedResponse('create'),
  },
  refusalExamples: callRefusalExamples('rows[1].uid is required'),
});

export const readBulkDocs: OperationDocs = {
  id: 'getBulkOperation',
  tag: bulkTag,
  summary: 'Read the progress of a bulk operation',
  description: 'Ask for it until `status` is `completed`, then fetch the result.',
  params: bulkIdParam,
  responses: { 200: { description: 'The progress', schema: bulkProgress, example: exampleProgress } },
};

export const bulkResultDocs: OperationDocs = {
  id: 'getBulkResult',
  tag: bulkTag,
  summary: 'Fetch the result of a bulk operation, once',
  description:
    'One entry for each row, in the order of the call. The result is given out once: as soon as a client has got all of it, it is ' +
    'removed (the codes stay). A fetch that breaks off has not used it up. A result that nobody fetches is removed after 7 days.',
  params: bulkIdParam,
  responses: {
    200: {
      description: 'What has become of each row',
      schema: z.array(bulkResultEntry),
      example: [
        {
          uid: 'table-1',
          status: 'created',
          id: 'nX5cPq7Rk',
          redirectUrl: 'https://qr.example.com/r/nX5cPq7Rk',
        },
        {
          uid: 'table-2',
          status: 'failed',
          message: "data must be a URL that begins with http:// or https://; given: 'example'",
          code: 'UNPROCESSABLE',
        },
      ],
    },
  },
  refusals: {
    404: 'There is no such bulk operation, or its result was fetched before or removed',
    409: 'It is not completed, or has failed, or the result is being fetched by another request',
  },
  refusalExamples: { 409: notCompletedExample('rows are done') },
};
