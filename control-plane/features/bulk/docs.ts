/** The documentation of bulk operations. */
import { z } from 'zod';
import { bulkProgress, bulkResultEntry, bulkRowsMax, uid } from '#schemas/api/bulk.ts';
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { afterResponse } from '../../api/http/shared-docs.ts';
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
  row.safeExtend({
    uid: uid.meta({ description: 'Identifies the row in the result. Must be unique in the call.' }),
  });

export type BulkRowSchema = ReturnType<typeof bulkRowSchema>;

export const bulkDocs = (row: BulkRowSchema): OperationDocs => ({
  id: 'createCodesInBulk',
  tag: bulkTag,
  summary: 'Create dynamic codes in bulk',
  description:
    `Creates up to ${bulkRowsMax.toLocaleString('en')} codes. Each row is the body of a create with a ` +
    `\`uid\`. The codes are created one after the other after the response: ${afterResponse}. The call as ` +
    'a whole is refused if:\n\n' +
    '- the body is not an array of rows\n' +
    '- a `uid` is missing or repeated\n' +
    '- a `preset` does not exist\n' +
    '- a brand kit belongs to another workspace\n' +
    '- the quota has not enough dynamic codes left for all rows\n\n' +
    'With `dryRun=true` the call is a bulk operation of the kind `validate`: its rows are checked and drawn as if they were ' +
    'created, and its result says `valid` or `failed` of each. Rows are not compared with each other: of two with the same ' +
    '`externalId` the real call refuses one. It counts as a bulk call, and no code is created or counted.',
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
  summary: 'Get the progress of a bulk operation',
  description:
    'Returns the progress of a bulk operation. If `status` is `completed`, the result can be fetched.',
  params: bulkIdParam,
  responses: { 200: { description: 'The progress', schema: bulkProgress, example: exampleProgress } },
};

export const bulkResultDocs: OperationDocs = {
  id: 'getBulkResult',
  tag: bulkTag,
  summary: 'Get the result of a bulk operation',
  description:
    'Returns one entry per row, in the order of the call. The result can be fetched once: it is removed as ' +
    'soon as a client has received all of it. The codes stay. A fetch that is interrupted does not use it ' +
    'up. A result that is not fetched is removed after 7 days. That of a change by filter is streamed, stays when it is ' +
    'fetched, and is there after a cancellation, too: of the codes that were done by then.',
  params: bulkIdParam,
  responses: {
    200: {
      description: 'The result of each row',
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
    404: 'The bulk operation does not exist, or its result was already fetched or removed',
    409: 'The bulk operation is not completed or has failed, or another request is fetching the result',
  },
  refusalExamples: { 409: notCompletedExample('rows are done') },
};
