/** The documentation of kept exports. */
import {
  exportBytesMax,
  exportKeptDays,
  type KeptExportObject,
  keptExportList,
  keptExportObject,
} from '#schemas/api/kept-exports.ts';
import type { OperationDocs, ResponseDocs } from '../../api/http/operation.ts';
import { furtherLimit, storedFile, storedFileRefusals } from '../../api/http/shared-docs.ts';

const tag = 'Exports';

const idParam = { exportId: { description: 'The id of the export.', example: 'exp_7Yh2kPq9RsTuVwXy' } };

const running: KeptExportObject = {
  id: idParam.exportId.example,
  contents: 'scans',
  format: 'ndjson',
  status: 'processing',
  rows: 150_000,
  bytes: 4_194_304,
  from: '2030-01-01T00:00:00.000Z',
  to: '2030-01-31T11:59:58.000Z',
  completeUntil: '2030-01-31T11:59:58.000Z',
  createdAt: '2030-01-31T12:00:00.000Z',
  completedAt: null,
  fileUntil: null,
};

const completed: KeptExportObject = {
  ...running,
  status: 'completed',
  rows: 812_345,
  bytes: 23_068_672,
  completedAt: '2030-01-31T12:00:21.000Z',
  fileUntil: '2030-02-07T12:00:21.000Z',
};

const begun: ResponseDocs = {
  description: 'The export is stored. Its file is written after this response',
  schema: keptExportObject,
  example: { ...running, status: 'pending', rows: 0, bytes: 0 },
  headers: { location: 'The URL of the export' },
};

const kept =
  `The file is written after the response, compressed by gzip, and kept for ${exportKeptDays} days after its end. A workspace ` +
  `has one export at a time, and a file has at most ${exportBytesMax / 2 ** 30} GB, or what the plan has room for.`;

const conflict = 'Another export of the workspace is not finished';
const conflictExample = {
  error: 'exp_7Yh2kPq9RsTuVwXy is not finished: a workspace has one export at a time',
  code: 'CONFLICT',
};

export const beginScansDocs: OperationDocs = {
  id: 'exportScans',
  tag,
  summary: 'Export all single scans',
  description:
    'Writes every single scan of the workspace in a window into one file, by code and then by time. The window reaches as ' +
    'far back as single scans are kept, and ends at `completeUntil` at the latest: every scan made before is in the file, ' +
    'once. The next export goes on from there. No address, user agent or visitor is in the file. ' +
    `${kept}\n\nThe fields are those of \`GET /api/qr/scans\`, without \`recordedAt\`.`,
  requestExamples: {
    january: { summary: 'A month', value: { format: 'csv', from: '2030-01-01', to: '2030-01-31' } },
  },
  responses: { 202: begun },
  refusals: { 409: conflict },
  refusalExamples: { 409: conflictExample },
};

export const beginCodesDocs: OperationDocs = {
  id: 'exportCodesToFile',
  tag,
  summary: 'Export all codes to a file that is kept',
  description:
    'Writes every code that exists now into one file, oldest first, each as it is when it is written. The fields and ' +
    `columns are those of \`GET /api/qr/codes/export\`. ${kept}`,
  requestExamples: { table: { summary: 'A table', value: { format: 'csv' } } },
  responses: {
    202: {
      ...begun,
      example: {
        ...(begun.example as object),
        contents: 'codes',
        from: undefined,
        to: undefined,
        completeUntil: undefined,
      },
    },
  },
  refusals: { 409: conflict },
  refusalExamples: { 409: conflictExample },
};

export const listDocs: OperationDocs = {
  id: 'listExports',
  tag,
  summary: 'List exports',
  description:
    'Returns the exports of the last 30 days, the newest first. A key with permissions sees those of what it may read: ' +
    '`codes:read` for codes, `analytics:read` for scans.',
  responses: {
    200: {
      description: 'A page of exports',
      schema: keptExportList,
      example: { data: [completed], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

const needs = 'A key with permissions needs `codes:read` for codes, and `analytics:read` for scans.';

export const readDocs: OperationDocs = {
  id: 'getExport',
  tag,
  summary: 'Get an export',
  description: `Returns how far an export is, and until when its file is kept. ${needs}`,
  params: idParam,
  responses: { 200: { description: 'The export', schema: keptExportObject, example: completed } },
};

export const downloadDocs: OperationDocs = {
  id: 'downloadExport',
  tag,
  summary: 'Download the file of an export',
  description:
    'Returns the file, compressed by gzip, as often as it is asked for. A download that was interrupted can be continued ' +
    `with \`Range\` and \`If-Range\`. ${needs}`,
  params: idParam,
  responses: storedFile('application/gzip', 'file'),
  refusals: {
    404: 'The export does not exist, or its file is not kept any more',
    409: 'The export is not completed, has failed or was cancelled',
    ...storedFileRefusals('file'),
  },
  refusalExamples: {
    409: { error: 'exp_7Yh2kPq9RsTuVwXy is not completed: 150000 rows are written', code: 'CONFLICT' },
  },
  furtherLimit,
};

export const removeDocs: OperationDocs = {
  id: 'removeExport',
  tag,
  summary: 'Cancel an export, or remove its file',
  description:
    'An export that is not finished is cancelled, and no file is left. Of a completed one the file is removed. A key with ' +
    'permissions needs `codes:write`, and for scans `analytics:read` as well.',
  params: idParam,
  responses: {
    200: {
      description: 'The export as it is then',
      schema: keptExportObject,
      example: {
        ...running,
        status: 'cancelled',
        completedAt: '2030-01-31T12:00:05.000Z',
      },
    },
  },
};
