/** The documentation of /api/qr/bulk-generate. */
import { z } from 'zod';
import { bulkProgress, bulkRowsMax, uid } from '#schemas/api/bulk.ts';
import { codePictureRow } from '#schemas/api/bulk-generate.ts';
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { inlineLogoLengthMax } from '#schemas/api/row-logo.ts';
import type { OperationDocs, ResponseDocs } from '../../../http/operation.ts';
import {
  bulkIdParam,
  bulkTag,
  callRefusalExamples,
  exampleProgress,
  notCompletedExample,
  submittedResponse,
} from '../engine/docs.ts';
import { pixelsMax } from './limits.ts';
import { manifestName } from './zip.ts';

/** A row of a static code, without its `uid`. */
export type StaticRow = ReturnType<typeof createCodeBodies>['staticRow'];

const named = {
  uid: uid.meta({ description: 'Names the row, and its picture in the zip; unique in the call.' }),
};

const withUid = (row: StaticRow) =>
  row.safeExtend({
    ...named,
    image: row.shape.image.meta({
      description:
        'A logo for the centre: the http or https URL of one, up to 1 MB of PNG, JPEG, GIF, WebP or SVG; or the logo itself as a data ' +
        `URI or in base64, up to ${inlineLogoLengthMax} characters.`,
    }),
  });

export const generateDocs = (row: StaticRow): OperationDocs => ({
  id: 'generateCodesInBulk',
  tag: bulkTag,
  summary: 'Draw many pictures',
  description:
    `Takes up to ${bulkRowsMax} rows, draws their pictures after it has answered, and puts them into one zip, which is kept for a day. A ` +
    'row is the body of a static code with a `uid`, of which nothing is stored; or a `uid` and the `id` of a dynamic code, whose ' +
    'picture is the one that `GET /api/qr/codes/{id}/image` gives. A row that cannot be drawn, or whose code is not the ' +
    'workspace’s, does not hold up the others. The call as a whole is refused where it is no array of rows, a `uid` is missing or comes twice, a `preset` does not exist, a ' +
    `brand kit is not the caller’s, or the pictures together have more than ${pixelsMax} pixels (\`svg\` and \`pdf\` have none). A static code has no \`pdf\`.`,
  requestSchema: z
    .array(z.union([withUid(row), codePictureRow.safeExtend(named)]))
    .min(1)
    .max(bulkRowsMax),
  requestExamples: {
    shelves: {
      summary: 'Two labels of static codes',
      value: [
        { uid: 'shelf 1', dataType: 'text', data: 'SHELF-0001', returnType: 'svg' },
        { uid: 'shelf 2', dataType: 'text', data: 'SHELF-0002', returnType: 'svg' },
      ],
    },
    tables: {
      summary: 'Labels of dynamic codes',
      value: [
        { uid: 'table 1', id: 'nX5cPq7Rk', returnType: 'pdf' },
        { uid: 'table 2', id: '7Ab3kQw2Z', width: 1024 },
      ],
    },
  },
  responses: {
    202: submittedResponse('generate'),
  },
  refusalExamples: callRefusalExamples('rows[1].uid is required'),
});

export const readGenerateDocs: OperationDocs = {
  id: 'getBulkGenerate',
  tag: bulkTag,
  summary: 'Read the progress of a bulk operation that draws pictures',
  description: 'Ask for it until `status` is `completed`, then fetch the zip.',
  params: bulkIdParam,
  responses: {
    200: {
      description: 'The progress',
      schema: bulkProgress,
      example: { ...exampleProgress, kind: 'generate' },
    },
  },
};

const fileHeaders = {
  etag: 'Names this zip; for If-Range',
  'accept-ranges': '`bytes`: a part of it can be asked for by Range',
  'content-disposition': 'The name of the file',
};

const zip = (description: string, headers: Record<string, string> = {}): ResponseDocs => ({
  description,
  contentTypes: ['application/zip'],
  headers: { ...fileHeaders, ...headers },
});

export const generateResultDocs: OperationDocs = {
  id: 'getBulkGenerateResult',
  tag: bulkTag,
  summary: 'Fetch the pictures of many codes as a zip',
  description:
    'Each picture is named after the `uid` of its row: with `_` for what file systems do not take, and with a number where two would have ' +
    `the same name. \`${manifestName}\` has an entry for each row, in the order of the call: \`{uid, status: "created", file, warnings?}\`, ` +
    'where `file` is the name, or `{uid, status: "failed", message, code}`. The zip can be fetched as often as you like for a day; a ' +
    'download that broke off is resumed by `Range` and `If-Range`.',
  params: bulkIdParam,
  responses: {
    200: zip('The zip'),
    206: zip('The part of it that Range asks for', {
      'content-range': 'Which bytes they are, and how many there are',
    }),
    304: { description: 'It is the one that If-None-Match names' },
  },
  refusals: {
    404: 'There is no such bulk operation, or its zip was removed after a day, or lost',
    409: 'It is not completed; try again after `Retry-After` seconds. Or its zip could not be made',
    412: 'It is not the one that If-Match names',
    416: 'Range begins after its end',
  },
  refusalExamples: { 409: notCompletedExample('pictures are done') },
};
