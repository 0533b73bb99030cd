/** The upload of a spreadsheet: its form, and the report on its rows. */
import { z } from 'zod';
import { bulkProgress } from './bulk.ts';
import { boundedText, ownText, switchParameter } from './text.ts';

/** Rows per sheet, without its header. */
export const uploadRowsMax = 500;

/** Services whose exports are recognised; `waymark` is our own. */
export const uploadSources = ['waymark', 'shlink', 'yourls', 'kutt', 'bitly'] as const;

/** A look in JSON, including a logo. */
export const uploadFieldLengthMax = 250_000;

export const uploadQuery = z.object({
  dryRun: switchParameter()
    .default(false)
    .describe('`true`: nothing is created or counted, and the answer says what would be.'),
});

export const templateFormats = ['csv', 'xlsx'] as const;

export const templateQuery = z.object({
  format: z
    .enum(templateFormats)
    .default('csv')
    .describe('`csv`, or `xlsx` with lists of values and a sheet that explains the columns.'),
});

/** The fields of the form other than `file`. */
export const uploadFields = {
  style: boundedText(uploadFieldLengthMax)
    .optional()
    .describe(
      'JSON: the look of all codes, in the fields of a create. A preset or brand kit of a row replaces it.',
    ),
  source: z
    .enum(uploadSources)
    .optional()
    .describe('The service that the export comes from, if its columns do not show it.'),
  mapping: boundedText(uploadFieldLengthMax)
    .optional()
    .describe(
      'JSON: the names of columns in the sheet, each with its meaning: one of the columns above, or ' +
        '`oldLink`. Example: `{"Web site": "destination", "Label": "name"}`.',
    ),
};

const fault = z.object({
  row: z.int().min(1).describe('The number of the row in the sheet. The header is row 1.'),
  column: ownText().optional().describe('The column. Absent if the fault is not about one column.'),
  message: ownText().describe('What is wrong.'),
});

const warning = z.object({
  row: z
    .int()
    .min(1)
    .optional()
    .describe('The number of the row in the sheet. Absent if the warning is about the whole sheet.'),
  message: ownText().describe('What may differ from what you intended.'),
});

const plannedRow = z.object({
  row: z.int().min(1).describe('The number of the row in the sheet.'),
  uid: ownText().describe('The name of the row in the result.'),
  body: z
    .looseObject({})
    .describe(
      'The body of its create. A password is shown as `***`, and a logo of more than 200 characters is ' +
        'replaced by its length.',
    ),
});

const report = {
  sheetRows: z.int().min(0).describe('The number of rows in the sheet, without its header.'),
  submitted: z.int().min(0).describe('The number of rows that are made into codes.'),
  invalid: z.array(fault).describe('The faults of rows that are not valid. A row can have several.'),
  warnings: z.array(warning).describe('What was ignored or guessed.'),
  source: z.enum(uploadSources).optional().describe('The service that the export comes from.'),
};

/** One field in both answers, so that a typed client can read it without checking the status. */
const uploadBulkId = ownText()
  .nullable()
  .describe('The id of the bulk operation, `blk_…`. Null if nothing was submitted.');

/** Nothing was submitted. */
export const uploadReport = z.object({
  bulkId: uploadBulkId,
  ...report,
  rows: z.array(plannedRow).optional().describe('Only with `dryRun`: the rows as they would be created.'),
});

/** The valid rows are being created. */
export const uploadedProgress = bulkProgress.extend({ bulkId: uploadBulkId, ...report });
