/** The documentation of uploads. */
import { uploadedProgress, uploadReport, uploadRowsMax } from '#schemas/api/upload.ts';
import type { OperationDocs } from '../../../http/operation.ts';
import { bulkTag, exampleProgress } from '../engine/docs.ts';
import { type Column, columnNames, columns } from './columns.ts';

const columnTable = [
  '| column | what it is |',
  '| --- | --- |',
  ...columnNames.map((name) => {
    const { about, choices }: Column = columns[name];
    return `| \`${name}\` | ${about}${choices ? ` One of ${choices.map((each) => `\`${each}\``).join(', ')}.` : ''} |`;
  }),
].join('\n');

const exampleReport = {
  sheetRows: 3,
  submitted: 2,
  invalid: [{ row: 4, column: 'expiresAt', message: "expiresAt must be in the future; given: '2020-01-31'" }],
  warnings: [{ message: "Columns that are not known are ignored: 'Remarks'" }],
};

export const uploadDocs: OperationDocs = {
  id: 'uploadCodes',
  tag: bulkTag,
  summary: 'Create many dynamic codes from a spreadsheet',
  description:
    `Takes a CSV or XLSX file with up to ${uploadRowsMax} rows, recognised by its content, and makes a code of each row. Rows that are ` +
    'not valid are listed and left out; the others are submitted as a bulk operation, whose result names each by its number in the sheet. ' +
    'Of a workbook the first visible sheet is read, with the values that its formulas had. A cell has at most 2,000,000 characters; ' +
    '`styleJson`, `style` and `mapping` have at most 2,000 fields, values and entries.\n\n' +
    'The first row names the columns, in any order and case. A column that is not known is ignored with a warning, and refused where it is ' +
    'nearly one of these; `URL`, `Link` and `Website` are taken as the destination, `Title` and `Label` as the name, with a warning. A row with more cells than the first one is not valid: an address with the delimiter in it has quotes around it. A list of web addresses needs no header. Of a cell of CSV that begins with an apostrophe and then a sign of formulas (`=`, `+`, `-`, ' +
    '`@`) the apostrophe is taken off: it says that the cell is text. So it is after a `;`, a tab or an end of a line in the cell. So an export of codes can be uploaded as it is.\n\n' +
    `${columnTable}\n\n` +
    'The look of a row is that of `style`, or in its place the row’s `preset` or `brandKitId`; then `primaryColor`, `backgroundColor` ' +
    'and `frameText`; then `styleJson`, with the keys `shape`, `margin`, `width`, `height`, `returnType`, `qrOptions`, `dotsOptions`, ' +
    '`cornersSquareOptions`, `cornersDotOptions`, `backgroundOptions`, `frame`, `image`, `imageOptions`; others are ignored with a ' +
    'warning.\n\n' +
    'Exports of Bitly, Shlink, Kutt and YOURLS are taken as they are: the address becomes the destination, the title the name, and ' +
    'the old link the `uid`, so that the result tells which code took its place. Dates and clicks are not taken over, nor any other ' +
    'column that `mapping` does not name: a link that asks for a password or is banned is not valid until its row says otherwise. The export of this ' +
    'service (`waymark`) has the columns of an upload: its `redirectUrl` is the old link; codes that ask for a password, are encrypted or not active are ' +
    'not valid, and each row with rules, a campaign, deep links or sources has a warning.',
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
      description: 'Nothing was submitted: it was a dry run, or no row is valid',
      schema: uploadReport,
      example: { bulkId: null, ...exampleReport, submitted: 0 },
    },
    202: {
      description: 'The valid rows are stored, and are made into codes',
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
  summary: 'Get a file to fill in for an upload',
  description:
    'It has every column, and an example of each kind of row. Remove the examples before you upload it. Take `xlsx` where Excel ' +
    'separates cells by semicolons: a double click puts each line of the CSV into one column.',
  responses: {
    200: {
      description: 'The file',
      contentTypes: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      headers: { 'content-disposition': 'A name for the file' },
    },
  },
};
