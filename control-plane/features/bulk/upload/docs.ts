/** The documentation of uploads. */
import { uploadedProgress, uploadReport, uploadRowsMax } from '#schemas/api/upload.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { afterResponse } from '../../../api/http/shared-docs.ts';
import { bulkTag, exampleProgress } from '../engine/docs.ts';
import { type Column, columnNames, columns } from './columns.ts';

const columnTable = [
  '| column | meaning |',
  '| --- | --- |',
  ...columnNames.map((name) => {
    const { about, choices }: Column = columns[name];
    return `| \`${name}\` | ${about}${choices ? ` One of ${choices.map((each) => `\`${each}\``).join(', ')}.` : ''} |`;
  }),
].join('\n');

const uploadDescription =
  `Creates a code for each row of a CSV or XLSX file with at most ${uploadRowsMax} rows. The format is ` +
  'recognised by the content of the file. Invalid rows are listed and left out. Valid rows are submitted ' +
  `as a bulk operation, which identifies each row by its number in the sheet: ${afterResponse}.\n\n` +
  '- In a workbook, the first visible sheet is read, with the stored values of its formulas.\n' +
  '- A cell has at most 2,000,000 characters.\n' +
  '- `styleJson`, `style` and `mapping` have at most 2,000 fields, values and entries.\n\n' +
  'The first row names the columns, in any order and case. A list of web addresses needs no header.\n\n' +
  '- An unknown column is ignored with a warning. If its name is nearly that of a known column, the file ' +
  'is refused.\n' +
  '- `URL`, `Link` and `Website` are read as the destination, `Title` and `Label` as the name, with a ' +
  'warning.\n' +
  '- A row with more cells than the header is invalid. Put quotes around an address that contains the ' +
  'delimiter.\n' +
  '- An apostrophe at the beginning of a CSV cell is removed if a formula sign (`=`, `+`, `-`, `@`) ' +
  'follows: it marks the cell as text. The same applies after a `;`, a tab or a line break in a cell. So ' +
  'an export of codes can be uploaded unchanged.\n\n' +
  `${columnTable}\n\n` +
  'The look of a row is combined in this order: `style`, or the row’s `preset` or `brandKitId` in its ' +
  'place; then `primaryColor`, `backgroundColor` and `frameText`; then `styleJson`. `styleJson` has the ' +
  'keys `shape`, `margin`, `width`, `height`, `returnType`, `qrOptions`, `dotsOptions`, ' +
  '`cornersSquareOptions`, `cornersDotOptions`, `backgroundOptions`, `frame`, `image` and `imageOptions`. ' +
  'Other keys are ignored with a warning.\n\n' +
  'Exports of Bitly, Shlink, Kutt and YOURLS can be uploaded unchanged. The address becomes the ' +
  'destination, the title becomes the name, and the old link becomes the `uid`, so that the result shows ' +
  'which code replaces which link. Dates, clicks and other columns that `mapping` does not name are not ' +
  'imported: `POST /api/qr/imports` keeps them, and the short codes. A link that has a password or is banned is invalid until its row is changed.\n\n' +
  'An export of this service (`waymark`) has the columns of an upload. Its `redirectUrl` is the old link. ' +
  'Codes that have a password, are encrypted or are not active are invalid. Each row with rules, a ' +
  'campaign, deep links or sources has a warning.';

const exampleReport = {
  sheetRows: 3,
  submitted: 2,
  invalid: [{ row: 4, column: 'expiresAt', message: "expiresAt must be in the future; given: '2020-01-31'" }],
  warnings: [{ message: "Columns that are not known are ignored: 'Remarks'" }],
};

export const uploadDocs: OperationDocs = {
  id: 'uploadCodes',
  tag: bulkTag,
  summary: 'Create dynamic codes from a spreadsheet',
  description: uploadDescription,
  requestExamples: {
    sheet: {
      summary: 'A sheet, and the look of all its codes',
      value: {
        file: 'name,destination\nTable 1,https://example.com/menu?table=1\n',
        style: '{"preset":"menu"}',
      },
    },
  },
  responses: {
    200: {
      description: 'Nothing was submitted: the call was a dry run, or no row is valid',
      schema: uploadReport,
      example: { bulkId: null, ...exampleReport, submitted: 0 },
    },
    202: {
      description: 'The valid rows are stored. Their codes are created after this response',
      schema: uploadedProgress,
      example: {
        ...exampleProgress,
        status: 'pending',
        total: 2,
        processed: 0,
        succeeded: 0,
        failed: 0,
        ...exampleReport,
      },
      headers: { location: 'The URL of the bulk operation' },
    },
  },
};

export const templateDocs: OperationDocs = {
  id: 'getUploadTemplate',
  tag: bulkTag,
  summary: 'Get a template for an upload',
  description:
    'Returns a file with every column and an example of each kind of row. Remove the examples before you ' +
    'upload it. If Excel separates cells by semicolons, use `xlsx`: Excel would open the CSV with each ' +
    'line in a single column.',
  responses: {
    200: {
      description: 'The file',
      contentTypes: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      headers: { 'content-disposition': 'The file name' },
    },
  },
};
