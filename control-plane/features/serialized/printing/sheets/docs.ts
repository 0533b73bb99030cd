/** The documentation of sheets. */
import { labelsPerPageMax, sheetDays, sheetsAnswer } from '#schemas/api/serialized-sheets.ts';
import type { OperationDocs } from '../../../../api/http/operation.ts';
import {
  afterResponse,
  furtherLimit,
  storedFile,
  storedFileRefusals,
} from '../../../../api/http/shared-docs.ts';
import { batchIdParam, serializedTag, stillMintingExample } from '../../docs.ts';

const batchId = batchIdParam.batchId.example;
const jobId = 'ssheet_6Hn8RfYqK9Zt3vLw';

export const sheetsDocs: OperationDocs = {
  id: 'printSerializedSheets',
  tag: serializedTag,
  summary: 'Draw print sheets of a serialized batch',
  description:
    'Draws one label for each item as a PDF, row by row, in the order in which the items were minted. The ' +
    `PDF is drawn after the response: ${afterResponse}. If \`resultReady\` is true, it can be downloaded. ` +
    '`DELETE` of the job cancels it.\n\n' +
    `- A page has at most ${labelsPerPageMax.toLocaleString('en')} labels.\n` +
    '- A layout in which a module would be smaller than 0.25 mm is refused. The message names the field, ' +
    'the size that a module would have, and how many columns or rows fit.\n' +
    '- Codes are black squares with their quiet zone of four modules, and as large as their label allows. ' +
    'All codes have the same number of modules, and the highest error correction that adds none.\n' +
    '- Codes are vectors in one ink, the black of CMYK. Fonts are embedded, and other texts are outlines.\n' +
    '- On labels that are wider than high, captions are beside the code if it becomes larger by that: on ' +
    'the left if the product name is read from right to left, otherwise on the right. On other labels they ' +
    'are below it.\n' +
    '- Captions are in type of at least 4 points. A long product name is set on several lines, and shortened ' +
    'if these have no room. Ids, serials and SKUs are never shortened.\n' +
    '- `host` is on the labels of every stock, unless its name or the other captions are long. Labels that are ' +
    'too small for it have none: `omittedCaptions` of the response names what is left out.',
  params: batchIdParam,
  requestExamples: {
    stock: {
      summary: 'Labels of a standard stock',
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
      description: 'The sheets are accepted. They are drawn after this response',
      schema: sheetsAnswer,
      example: { jobId, batchId, count: 500, pages: 24, omittedCaptions: [] },
      headers: { location: 'The URL of the job' },
    },
  },
  refusals: { 409: 'The batch is still minting, or minting has failed' },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit:
    '20 sheets of the workspace are unfinished, or the workspace keeps as much as the plan allows',
};

export const sheetDownloadDocs: OperationDocs = {
  id: 'downloadSerializedSheets',
  tag: serializedTag,
  summary: 'Download the print sheets of a serialized batch',
  description:
    `Returns the sheets as a PDF, which can be downloaded for ${sheetDays} days: see “Downloads” in the ` +
    'introduction. TrimBox and BleedBox of its pages mark where they are cut.',
  params: batchIdParam,
  responses: storedFile('application/pdf', 'PDF'),
  refusals: {
    404:
      `The batch or the job does not exist, or the PDF was removed after ${sheetDays} days or by DELETE of ` +
      'its job',
    409: 'Not all codes are drawn: retry after `Retry-After` seconds. Or the job has failed',
    ...storedFileRefusals('PDF'),
  },
  refusalExamples: {
    409: { error: `${jobId} is not completed: 120 of 500 codes are drawn`, code: 'CONFLICT' },
  },
  furtherLimit,
};
