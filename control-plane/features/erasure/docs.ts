/** The documentation of erasures. */
import { z } from 'zod';
import { erasureList, erasureObject } from '#schemas/api/erasures.ts';
import { boundedText } from '#schemas/api/text.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { codeIdParam, dynamicCodesTag } from '../codes/store/docs.ts';

const tag = dynamicCodesTag;

const ifMatchLengthMax = 1_000;

const exampleErasure = {
  id: 'ers_7Rk2mQw8Z4nX5cPq',
  codeId: 'nX5cPq7Rk',
  subject: 'code',
  status: 'pending',
  scansErased: 0,
  createdAt: '2026-05-04T12:00:00.000Z',
  completedAt: null,
} as const;

const location = { location: 'The URL of the erasure in this API' };

const late =
  'Scans from before that arrive later, from a redirector that was cut off, are erased as well, within minutes during a week and at ' +
  'night after that.';

export const eraseCodeDocs: OperationDocs = {
  id: 'eraseCode',
  tag,
  summary: 'Erase a code for good',
  description:
    'Erases a code with everything that is known of it. This cannot be undone; `DELETE` deactivates a code instead. From the ' +
    'answer on, the code is in no list, its `externalId` is free, and its scans get a page, or `CODE_ERASED`, with 410. Then its ' +
    'history, its logos, what its events say of it, the logged requests that name it, and its scans are removed, from all sums ' +
    `of the workspace, too: read \`status\` of the erasure. ${late} No quota is given back. Webhooks get \`qr.deleted\` with \`erased\`. ` +
    'Repeating the call returns the erasure.\n\n' +
    'What is left:\n\n' +
    '- its id and its aliases, which no other code can get, and the erasure\n' +
    '- entries of the audit log, which say by whom and when, without content\n' +
    '- the sums of the workspace of times whose single scans were no longer kept, which do not say what was scanned\n' +
    '- reports of abuse, which are the operator’s\n' +
    '- for a day, answers that are repeated for an idempotency key\n' +
    '- for seven days, a request in the log that names the code by its `externalId` alone\n' +
    '- results of bulk operations, rows of imports and files of exports, until they are removed or expire\n' +
    '- backups of the operator, and pictures that you have downloaded',
  params: codeIdParam,
  responses: {
    202: {
      description: 'The erasure, which goes on',
      schema: erasureObject,
      example: exampleErasure,
      headers: location,
    },
  },
  headers: z.object({
    'If-Match': boundedText(ifMatchLengthMax).optional().meta({
      description: 'An entity tag of the code: it is only erased if it still has this version.',
      example: '"v7"',
    }),
  }),
  refusals: {
    409: 'The code is locked for compliance, under legal hold or suspended',
    412: 'The code does not have an entity tag of `If-Match`',
  },
  refusalExamples: {
    409: { error: 'This code is in legal hold, and it cannot be erased', code: 'CONFLICT' },
    412: { error: 'The code has changed: its ETag is "v8" now', code: 'PRECONDITION_FAILED' },
  },
};

export const eraseScansDocs: OperationDocs = {
  id: 'eraseScans',
  tag,
  summary: 'Erase the scans of a code',
  description:
    'Erases the scans of a code that were made up to now: single scans, its counts, and its part of the sums of the workspace. ' +
    `Later scans count from zero. ${late} The code itself stays as it is. A scan cap counts on. A call before the work on ` +
    'an earlier one has begun moves the moment of that one, and returns it.',
  params: codeIdParam,
  responses: {
    202: {
      description: 'The erasure, which goes on',
      schema: erasureObject,
      example: { ...exampleErasure, subject: 'scans' },
      headers: location,
    },
  },
  refusals: { 409: 'The code is locked for compliance, under legal hold or suspended' },
  refusalExamples: {
    409: { error: 'This code is in legal hold, and its scans cannot be erased', code: 'CONFLICT' },
  },
};

export const readErasureDocs: OperationDocs = {
  id: 'getErasure',
  tag,
  summary: 'Get an erasure',
  description: 'How far the erasure of a code, or of its scans, is. Erasures are kept for ever.',
  params: { erasureId: { description: 'The id of the erasure.', example: exampleErasure.id } },
  responses: {
    200: {
      description: 'The erasure',
      schema: erasureObject,
      example: {
        ...exampleErasure,
        status: 'completed',
        scansErased: 1204,
        completedAt: '2026-05-04T12:00:03.000Z',
      },
    },
  },
};

export const listErasuresDocs: OperationDocs = {
  id: 'listErasures',
  tag,
  summary: 'List erasures',
  description: 'Lists the erasures of the workspace, the latest first.',
  responses: {
    200: {
      description: 'A page of erasures',
      schema: erasureList,
      example: {
        data: [exampleErasure],
        pagination: { limit: 25, cursor: null, nextCursor: null },
      },
    },
  },
};
