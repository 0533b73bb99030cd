/** The documentation of the bulk replacement. */
import { z } from 'zod';
import { bulkRowsMax, uid } from '#schemas/api/bulk.ts';
import {
  codeIdText,
  dryRunReport,
  submittedReplacement,
  textReplacement,
} from '#schemas/api/bulk-replace.ts';
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { afterResponse } from '../../../api/http/shared-docs.ts';
import { bulkTag, callRefusalExamples, submittedResponse } from '../engine/docs.ts';

const rowSchema = (update: ReturnType<typeof createCodeBodies>['update']) =>
  update.safeExtend({
    id: codeIdText.meta({ description: 'The id of the code to update. Must be unique in the call.' }),
    uid: uid.optional().meta({ description: 'Identifies the row in the result. Default: the `id`.' }),
  });

export const replaceDocs = (update: ReturnType<typeof createCodeBodies>['update']): OperationDocs => ({
  id: 'replaceCodesInBulk',
  tag: bulkTag,
  summary: 'Update dynamic codes in bulk',
  description:
    `Updates up to ${bulkRowsMax.toLocaleString('en')} codes. The body is an array of rows, each the ` +
    '`id` of a code and the body of an update; or a text to `find` in the destinations of the workspace’s ' +
    '`url` codes, and the text to `replace` it with. The codes are updated after the response: ' +
    `${afterResponse}. Progress and result are those of a bulk create. A code in which nothing differs is ` +
    'not changed (`unchanged`).\n\n' +
    `With \`find\`, a call takes the first ${bulkRowsMax.toLocaleString('en')} codes that contain the ` +
    'text, in the order of their creation. The response has `remaining`, the number of further codes, and ' +
    '`nextAfter`, the `after` of the next call. Encrypted codes are not searched. With `dryRun`, nothing ' +
    'is changed and the quota `bulkOrders` is not used: the response has the result that each code would ' +
    'have.',
  requestSchema: z.union([z.array(rowSchema(update)).min(1).max(bulkRowsMax), textReplacement]),
  requestExamples: {
    rows: {
      summary: 'Two codes',
      value: [
        { id: 'nX5cPq7Rk', destination: 'https://example.com/menu?table=1' },
        { id: 'pT8dWs2Qm', status: 'inactive' },
      ],
    },
    texts: {
      summary: 'A new domain, as a dry run',
      value: { find: 'https://old.example/', replace: 'https://new.example/', dryRun: true },
    },
  },
  responses: {
    200: {
      description: 'With `dryRun`: what would change',
      schema: dryRunReport,
      example: {
        dryRun: true,
        total: 1,
        remaining: 0,
        changes: [
          {
            id: 'nX5cPq7Rk',
            destination: 'https://old.example/menu',
            newDestination: 'https://new.example/menu',
          },
        ],
      },
    },
    202: { ...submittedResponse('replace'), schema: submittedReplacement },
  },
  refusalExamples: {
    ...callRefusalExamples('rows[1].id is required'),
    422: { error: "find is in no destination; given: 'https://old.example/'", code: 'UNPROCESSABLE' },
  },
});
