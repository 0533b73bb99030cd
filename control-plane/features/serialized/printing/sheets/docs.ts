/** The documentation of sheets. */
import { labelsPerPageMax, sheetDays, sheetsAnswer } from '#schemas/api/serialized-sheets.ts';
import { furtherLimit } from '../../../../http/attachment-docs.ts';
import type { OperationDocs, ResponseDocs } from '../../../../http/operation.ts';
import { batchIdParam, serializedTag, stillMintingExample } from '../../docs.ts';

const batchId = batchIdParam.batchId.example;
const jobId = 'ssheet_6Hn8RfYqK9Zt3vLw';

export const sheetsDocs: OperationDocs = {
  id: 'printSerializedSheets',
  tag: serializedTag,
  summary: 'Draw sheets of a serialized batch for print',
  description:
    'Draws one label for each item, in the order in which they were minted, row by row, as a PDF: ask for the job until `resultReady` is true, then download it. ' +
    '`DELETE` of the job cancels it.\n\n' +
    'Codes are black squares with their quiet zone of four modules, and as large as their label allows; all of them have the same number of modules, and the ' +
    'highest error correction that costs none. They are vectors in one ink, the black of CMYK; fonts are embedded, and other texts are outlines. Captions are at least 4 points high. ' +
    'A long product name is shortened, ids, serials and SKUs never are. A layout in which a module would be smaller than 0.25 mm is refused: the message names the field, ' +
    `the size that a module would have, and how many columns or rows fit. A page has at most ${labelsPerPageMax} labels.`,
  params: batchIdParam,
  requestExamples: {
    stock: {
      summary: 'Labels as they are sold',
      value: { layout: { stock: 'L7160', captions: ['itemId', 'host'] } },
    },
    press: {
      summary: 'For a press, with crop marks',
      value: {
        layout: {
          page: 'SRA3',
          columns: 12,
          rows: 16,
          marginMm: 10,
          gapMm: 2,
          bleedMm: 3,
          captions: ['productName', 'gs1'],
        },
        uriFormat: 'gs1',
      },
    },
    roll: {
      summary: 'One label a page, for a roll',
      value: {
        layout: { page: { widthMm: 50, heightMm: 30 }, columns: 1, rows: 1, captions: ['itemId'] },
        from: 1,
        to: 500,
      },
    },
  },
  responses: {
    202: {
      description: 'The sheets are accepted; they are drawn after this answer',
      schema: sheetsAnswer,
      example: { jobId, batchId, count: 500, pages: 24 },
      headers: { location: 'The URL of the job' },
    },
  },
  refusals: { 409: 'The batch is still minting, or its minting failed' },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit: '20 sheets of the workspace are unfinished, or so much is kept as the plan allows',
};

const pdf = (description: string, headers: Record<string, string> = {}): ResponseDocs => ({
  description,
  contentTypes: ['application/pdf'],
  headers: {
    etag: 'Names this PDF; for If-Range',
    'accept-ranges': '`bytes`: a part of it can be asked for by Range',
    'content-disposition': 'The name of the file',
    ...headers,
  },
});

export const sheetDownloadDocs: OperationDocs = {
  id: 'downloadSerializedSheets',
  tag: serializedTag,
  summary: 'Download the sheets of a serialized batch as a PDF',
  description:
    `The PDF can be fetched as often as you like for ${sheetDays} days; a download that broke off is resumed by \`Range\` and \`If-Range\`. ` +
    'TrimBox and BleedBox of its pages say where they are cut.',
  params: batchIdParam,
  responses: {
    200: pdf('The PDF'),
    206: pdf('The part of it that Range asks for', {
      'content-range': 'Which bytes they are, and how many there are',
    }),
    304: { description: 'It is the one that If-None-Match names' },
  },
  refusals: {
    404: `There is no such batch or job of it, or its PDF was removed after ${sheetDays} days or by DELETE of its job`,
    409: 'Not all codes are drawn; try again after `Retry-After` seconds. Or the job has failed',
    412: 'It is not the one that If-Match names',
    416: 'Range begins after its end',
  },
  refusalExamples: {
    409: { error: `${jobId} is not completed: 120 of 500 codes are drawn`, code: 'CONFLICT' },
  },
  furtherLimit,
};
