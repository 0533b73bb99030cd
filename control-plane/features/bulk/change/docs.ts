/** The documentation of bulk changes. */
import type { z } from 'zod';
import { bulkProgress } from '#schemas/api/bulk.ts';
import { bulkChangeReport, bulkRowList, changedCodesMax } from '#schemas/api/bulk-changes.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { afterResponse } from '../../../api/http/shared-docs.ts';
import { bulkIdParam, bulkTag, exampleProgress, submittedResponse } from '../engine/docs.ts';

export const changeDocs = (body: z.ZodType): OperationDocs => ({
  id: 'changeCodesByFilter',
  tag: bulkTag,
  summary: 'Change all codes that match a filter',
  description:
    `Applies one change to every code that matches the filters of a list, up to ${changedCodesMax.toLocaleString('en')} ` +
    `codes. The codes are changed after the response: ${afterResponse}. Each change is that of a single code: with its ` +
    'history, its event, its version and its publishing.\n\n' +
    'The set is fixed by this call. A code that begins to match later is not changed. A code that does not match any more ' +
    'when its turn comes is left as it is, and fails with `CONFLICT`. A code that refuses the change fails alone: an ' +
    'encrypted code, for example, cannot be updated.\n\n' +
    'Send the number of codes that you have seen, by `GET /api/qr/codes/count` or by a dry run, as `expectedCount`: if ' +
    'another number matches, nothing is changed.',
  requestSchema: body,
  requestExamples: {
    update: {
      summary: 'The codes of a shop move to another host',
      value: {
        filter: { destinationHost: 'old.example' },
        action: 'update',
        patch: { destinationHost: 'shop.example.com', metadata: { moved: '2030-01-31' } },
        expectedCount: 812,
      },
    },
    deactivate: {
      summary: 'Switch off what a season has left',
      value: { filter: { tags: 'summer', createdBefore: '2030-09-01T00:00:00Z' }, action: 'deactivate' },
    },
    tag: {
      summary: 'Tag a folder, as a dry run',
      value: {
        filter: { folderId: 'fold_3kTq8vWx2LmNpRsZ' },
        action: 'tag',
        addTags: ['print'],
        removeTags: ['draft'],
        dryRun: true,
      },
    },
  },
  responses: {
    200: {
      description: 'With `dryRun`: how many codes match, and some of them',
      schema: bulkChangeReport,
      example: { dryRun: true, total: 812, sample: ['nX5cPq7Rk', 'pT8dWs2Qm'] },
    },
    202: submittedResponse('change'),
  },
  refusals: {
    409: 'Another number of codes matches than `expectedCount`. `total` is the number',
    503: 'Too many codes would have to be read, or too many lists are being read',
  },
  refusalExamples: {
    409: {
      error: 'expectedCount must be the number of codes that match; given: 812, and 815 match now',
      code: 'CONFLICT',
      total: 815,
    },
    422: { error: 'filter must match a code; none matches', code: 'UNPROCESSABLE' },
  },
});

export const bulkRowsDocs: OperationDocs = {
  id: 'listBulkRows',
  tag: bulkTag,
  summary: 'List what became of the codes of a change',
  description:
    'Returns what became of each code of a change by filter so far, also while it goes on and after it was cancelled. ' +
    'It is kept for 7 days after the end.',
  params: bulkIdParam,
  responses: {
    200: {
      description: 'A page of codes',
      schema: bulkRowList,
      example: {
        status: 'processing',
        data: [
          {
            uid: 'nX5cPq7Rk',
            status: 'updated',
            id: 'nX5cPq7Rk',
            redirectUrl: 'https://qr.example.com/r/nX5cPq7Rk',
          },
          {
            uid: 'pT8dWs2Qm',
            status: 'failed',
            message: 'An encrypted code cannot be updated',
            code: 'CONFLICT',
          },
        ],
        pagination: { limit: 25, cursor: null, nextCursor: null },
      },
    },
  },
  refusals: { 404: 'There is no such change by filter, or its result was removed' },
};

export const cancelChangeDocs: OperationDocs = {
  id: 'cancelBulkChange',
  tag: bulkTag,
  summary: 'Cancel a change of many codes',
  description:
    'Ends a change by filter: its `status` is `cancelled`, and codes whose turn has not come stay as they are. Codes that were ' +
    'changed stay changed. A change that has ended stays as it is. Other bulk operations cannot be cancelled.',
  params: bulkIdParam,
  responses: {
    200: {
      description: 'The change as it is then',
      schema: bulkProgress,
      example: { ...exampleProgress, kind: 'change', status: 'cancelled' },
    },
  },
};
