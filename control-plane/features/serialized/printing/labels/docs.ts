/** The documentation of the file for label printers. */
import { disposition, furtherLimit, sending } from '../../../../http/attachment-docs.ts';
import type { OperationDocs } from '../../../../http/operation.ts';
import { batchIdParam, serializedTag, stillMintingExample } from '../../docs.ts';

export const labelFileDocs: OperationDocs = {
  id: 'exportSerializedLabels',
  tag: serializedTag,
  summary: 'Export the items of a serialized batch for label printers',
  description:
    'A line for each item, in the order in which they were minted:\n\n' +
    '- `itemId`, `url`: for software that draws a QR code of `url`\n' +
    '- `gtin`, `serial`: the values of the GS1 application identifiers 01 and 21, for software that asks for each\n' +
    '- `hri`: the human-readable interpretation, `(01)09506000134352(21)…`. Most label software takes it as the content of a GS1 QR code or GS1 ' +
    'DataMatrix, too, and sets FNC1 itself (“AI syntax”)\n' +
    '- `elementString`: the same without parentheses, for software and printer languages in which you set the FNC1 in front yourself (`]Q3`, `]d2`). ' +
    'It needs no other one: 01 is of predefined length, and 21 comes last\n' +
    '- `productSku`, `productName`, `brandName`: those of the batch\n' +
    '- `position`: that of the item in the batch, from 1\n\n' +
    'Where the batch has no `gtin`, the four columns of GS1 are empty. The CSV is as RFC 4180 has it: UTF-8, commas, lines that end with CR LF, and a first line ' +
    'with these names. A cell that a spreadsheet program would take for a formula has an apostrophe in front. Import the columns as text: a program that ' +
    `takes a GTIN for a number drops its zeros. ${sending}`,
  params: batchIdParam,
  responses: {
    200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition },
  },
  refusals: {
    409: 'The batch is still minting, or its minting failed',
    422: '`uriFormat` is `gs1`, and the batch has no `gtin`',
  },
  refusalExamples: { 409: stillMintingExample },
  furtherLimit,
};
