/** The documentation of /api/qr/bulk-generate. */
import { z } from 'zod';
import { bulkProgress, bulkRowsMax, uid } from '#schemas/api/bulk.ts';
import { codePictureRow } from '#schemas/api/bulk-generate.ts';
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { inlineLogoLengthMax } from '#schemas/api/row-logo.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { afterResponse, storedFile, storedFileRefusals } from '../../../api/http/shared-docs.ts';
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
  uid: uid.meta({
    description: 'Identifies the row, and its picture in the zip. Must be unique in the call.',
  }),
};

const withUid = (row: StaticRow) =>
  row.safeExtend({
    ...named,
    image: row.shape.image.meta({
      description:
        'A logo for the centre: an http or https URL of a PNG, JPEG, GIF, WebP or SVG of at most 1 MB, or ' +
        `the logo itself as a data URI or in base64, at most ${inlineLogoLengthMax.toLocaleString('en')} ` +
        'characters.',
    }),
  });

export const generateDocs = (row: StaticRow): OperationDocs => ({
  id: 'generateCodesInBulk',
  tag: bulkTag,
  summary: 'Draw pictures in bulk',
  description:
    `Draws up to ${bulkRowsMax.toLocaleString('en')} pictures into one zip, which is kept for a day. The ` +
    `pictures are drawn after the response: ${afterResponse}. A row is one of:\n\n` +
    '- the body of a static code with a `uid`. Nothing of it is stored. `pdf` is not available\n' +
    '- a `uid` and the `id` of a dynamic code. Its picture is that of `GET /api/qr/codes/{id}/image`\n\n' +
    'A row is refused if it cannot be drawn, or if its code belongs to another workspace. The call as a ' +
    'whole is refused if:\n\n' +
    '- the body is not an array of rows\n' +
    '- a `uid` is missing or repeated\n' +
    '- a `preset` does not exist\n' +
    '- a brand kit belongs to another workspace\n' +
    `- the pictures have more than ${pixelsMax.toLocaleString('en')} pixels in total (\`svg\` and \`pdf\` ` +
    'have none)',
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
  summary: 'Get the progress of a bulk drawing',
  description:
    'Returns the progress of a bulk operation that draws pictures. If `status` is `completed`, the zip can ' +
    'be downloaded.',
  params: bulkIdParam,
  responses: {
    200: {
      description: 'The progress',
      schema: bulkProgress,
      example: { ...exampleProgress, kind: 'generate' },
    },
  },
};

export const generateResultDocs: OperationDocs = {
  id: 'getBulkGenerateResult',
  tag: bulkTag,
  summary: 'Download the pictures of a bulk drawing',
  description:
    'Returns the pictures as a zip, which can be downloaded for a day: see “Downloads” in the ' +
    'introduction. Each picture is named after the `uid` of its row. Characters that file systems do not ' +
    'accept are replaced with `_`. A number is added if two pictures would have the same name. ' +
    `\`${manifestName}\` has an entry for each row, in the order of the call: \`{uid, status: "created", ` +
    'file, warnings?}`, where `file` is the name, or `{uid, status: "failed", message, code}`.',
  params: bulkIdParam,
  responses: storedFile('application/zip', 'zip'),
  refusals: {
    404: 'The bulk operation does not exist, or its zip was removed after a day or lost',
    409:
      'The bulk operation is not completed: retry after `Retry-After` seconds. Or its zip could not be ' +
      'created',
    ...storedFileRefusals('zip'),
  },
  refusalExamples: { 409: notCompletedExample('pictures are done') },
};
