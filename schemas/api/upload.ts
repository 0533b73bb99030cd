/** The upload of a spreadsheet: its form, and the report on its rows. */
import { z } from 'zod';
import { bulkProgress } from './bulk.ts';
import { described } from './described.ts';
import { boundedText, ownText, switchParameter } from './text.ts';

/** Rows per sheet, without its header. */
export const uploadRowsMax = 500;

/** Services whose exports are recognised; `waymark` is our own. */
export const uploadSources = ['waymark', 'shlink', 'yourls', 'kutt', 'bitly'] as const;

/** A look in JSON, including a logo. */
export const uploadFieldLengthMax = 250_000;

export const uploadQuery = z.object(
  described(
    { dryRun: switchParameter().default(false) },
    { dryRun: '`true`: nothing is made or counted; the answer says what would be.' },
  ),
);

export const templateFormats = ['csv', 'xlsx'] as const;

export const templateQuery = z.object(
  described(
    { format: z.enum(templateFormats).default('csv') },
    { format: '`csv`, or `xlsx` with lists of values and a sheet that explains the columns.' },
  ),
);

/** The fields of the form other than `file`. */
export const uploadFields = described(
  {
    style: boundedText(uploadFieldLengthMax).optional(),
    source: z.enum(uploadSources).optional(),
    mapping: boundedText(uploadFieldLengthMax).optional(),
  },
  {
    style:
      'JSON: the look of all codes, in the fields of a create. A row with a preset or a brand kit has that in its place.',
    source: 'The service whose export it is, where its columns do not say so.',
    mapping:
      'JSON: columns of the sheet, by their names, with what they are: one of the columns above, or `oldLink`, such as ' +
      '`{"Web site": "destination", "Label": "name"}`.',
  },
);

const fault = z.object(
  described(
    { row: z.int().min(1), column: ownText().optional(), message: ownText() },
    {
      row: 'Its number in the sheet, where the header is 1.',
      column: 'The column, where it is about one.',
      message: 'What is wrong.',
    },
  ),
);

const warning = z.object(
  described(
    { row: z.int().min(1).optional(), message: ownText() },
    { row: 'Absent where it is about the whole sheet.', message: 'What may differ from what was meant.' },
  ),
);

const plannedRow = z.object(
  described(
    { row: z.int().min(1), uid: ownText(), body: z.looseObject({}) },
    {
      row: 'In the sheet.',
      uid: 'Its name in the result.',
      body: 'The create that it would be; a password is not repeated, and a logo of more than 200 characters is named by its length.',
    },
  ),
);

const report = described(
  {
    sheetRows: z.int().min(0),
    submitted: z.int().min(0),
    invalid: z.array(fault),
    warnings: z.array(warning),
    source: z.enum(uploadSources).optional(),
  },
  {
    sheetRows: 'Rows of the sheet, without its header.',
    submitted: 'Rows that are made into codes.',
    invalid: 'What is wrong with the rows that are not; a row may be named more than once.',
    warnings: 'What was ignored or guessed.',
    source: 'The service whose export it is.',
  },
);

/** One field in both answers, so that a typed client can read it without checking the status. */
const uploadBulkId = ownText()
  .nullable()
  .meta({ description: 'The id of the bulk operation, `blk_…`; null where nothing was submitted.' });

/** Nothing was submitted. */
export const uploadReport = z.object({
  bulkId: uploadBulkId,
  ...report,
  rows: z
    .array(plannedRow)
    .optional()
    .meta({ description: 'With `dryRun`: the rows as they would be made.' }),
});

/** The valid rows are being created. */
export const uploadedProgress = bulkProgress.extend({ bulkId: uploadBulkId, ...report });
