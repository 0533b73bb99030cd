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
import type { OperationDocs } from '../../../http/operation.ts';
import { bulkTag, callRefusalExamples, submittedResponse } from '../engine/docs.ts';

const rowSchema = (update: ReturnType<typeof createCodeBodies>['update']) =>
  update.safeExtend({
    id: codeIdText.meta({ description: 'The code that changes; unique in the call.' }),
    uid: uid.optional().meta({ description: 'Names the row in the result; default: the `id`.' }),
  });

export const replaceDocs = (update: ReturnType<typeof createCodeBodies>['update']): OperationDocs => ({
  id: 'replaceCodesInBulk',
  tag: bulkTag,
  summary: 'Change many dynamic codes',
  description:
    `Takes up to ${bulkRowsMax} rows, each the \`id\` of a code and the body of an update; or a text to \`find\` in the destinations of ` +
    'the workspace’s `url` codes, and what to `replace` it with. It answers at once, and makes the changes after it: read the ' +
    'progress, and then the result, as of a bulk create. A row that is refused does not hold up the others, and a code in which nothing ' +
    'differs stays as it is (`unchanged`).\n\n' +
    `Of a text, a call takes the first ${bulkRowsMax} codes that hold it, in the order of their creation; the answer has \`remaining\`, how ` +
    'many more there are, and `nextAfter`, the `after` of the next call. Encrypted codes do not hold it. With `dryRun` nothing is changed, and the quota `bulkOrders` is not used: the answer is what would become of each code.',
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
