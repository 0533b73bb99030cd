/** The documentation of the file for label printers. */
import type { OperationDocs } from '../../../../api/http/operation.ts';
import { disposition, furtherLimit, streamed } from '../../../../api/http/shared-docs.ts';
import { batchIdParam, serializedTag, stillMintingExample } from '../../docs.ts';

export const labelFileDocs: OperationDocs = {
  id: 'exportSerializedLabels',
  tag: serializedTag,
  summary: 'Export serialized items for label printers',
  description:
    'Exports a line for each item of a batch, in the order in which the items were minted. The CSV follows ' +
    'RFC 4180: UTF-8, separated by commas, with CR LF line ends and a header line. A cell that a ' +
    'spreadsheet program would read as a formula begins with an apostrophe. Import the columns as text: a ' +
    `program that reads a GTIN as a number drops its leading zeros. ${streamed} Columns:\n\n` +
    '- `itemId`, `url`: for software that draws a QR code of `url`\n' +
    '- `gtin`, `serial`: the values of the GS1 application identifiers 01 and 21, for software that asks ' +
    'for each\n' +
    '- `hri`: the human-readable interpretation, `(01)09506000134352(21)…`. Most label software also ' +
    'accepts it as the content of a GS1 QR code or GS1 DataMatrix, and sets FNC1 itself (“AI syntax”)\n' +
    '- `elementString`: the same without parentheses, for software and printer languages in which you set ' +
    'the leading FNC1 yourself (`]Q3`, `]d2`). No other FNC1 is needed: 01 has a predefined length, and 21 ' +
    'comes last\n' +
    '- `productSku`, `productName`, `brandName`: the values of the batch\n' +
    '- `position`: the position of the item in the batch, from 1\n\n' +
    'If the batch has no `gtin`, the four GS1 columns are empty.',
  params: batchIdParam,
  responses: {
    200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition },
  },
  refusals: {
    409: 'The batch is still minting, or minting has failed',
    422: '`uriFormat` is `gs1`, but the batch has no `gtin`',
  },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit,
};
