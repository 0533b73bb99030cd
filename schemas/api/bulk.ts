/** Bulk operations, as the API takes and returns them. */
import { z } from 'zod';
import { ownText, requiredLabel, switchParameter } from './text.ts';

/** Rows per call. */
export const bulkRowsMax = 1_000;
export const uidLengthMax = 200;

/** A row's name in its call. */
export const uid = requiredLabel(uidLengthMax);

/** In the report of a dry run. */
export const dryRunMark = z.literal(true).describe('Nothing was changed: this is what would be.');

export const bulkKinds = ['create', 'replace', 'generate', 'validate', 'change'] as const;
export const bulkStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;

const rowCount = z.int().min(0);

/** Times are ISO 8601. */
export const bulkProgress = z.object({
  bulkId: ownText().describe('The id of the bulk operation, `blk_…`.'),
  kind: z.enum(bulkKinds).describe('What is done with the rows.'),
  status: z
    .enum(bulkStatuses)
    .describe(
      '`pending` until the work on the rows begins, `processing` until the last row is done, then ' +
        '`completed`. `failed` if the last step failed. `cancelled` if a change by filter was cancelled. All three are final.',
    ),
  total: rowCount.describe('The number of rows.'),
  processed: rowCount.describe('The number of rows done: `succeeded` plus `failed`.'),
  succeeded: rowCount.describe('The number of rows that were done as requested.'),
  failed: rowCount.describe('The number of rows that were refused. The result says why.'),
  error: ownText().optional().describe('Why it failed. Absent if it has not.'),
  createdAt: z.iso.datetime().describe('When it was submitted (ISO 8601).'),
  updatedAt: z.iso.datetime().describe('When it last made progress (ISO 8601).'),
});

export type BulkProgress = z.output<typeof bulkProgress>;

const rowUid = ownText().describe('The `uid` of the row.');

export const bulkRowDone = z
  .object({
    uid: rowUid,
    status: z.enum(['created', 'updated', 'unchanged']).describe('What was done.'),
    id: ownText().describe('The id of the code.'),
    redirectUrl: ownText().describe('The URL that the pattern of the code encodes.'),
    aliases: z.array(ownText()).optional().describe('The URL of its alias. Absent if it has none.'),
    warnings: z
      .array(ownText())
      .optional()
      .describe(
        'Problems with its style. Scanners can read the code nevertheless. Absent if there are none.',
      ),
  })
  .meta({ id: 'BulkRowDone', description: 'A row that was done as requested.' });

export const bulkRowFailed = z
  .object({
    uid: rowUid,
    status: z.literal('failed').describe('The row was refused.'),
    message: ownText().describe('What was wrong. It names the field.'),
    code: ownText().describe('The same for programs, as in the answer to a single create.'),
  })
  .meta({ id: 'BulkRowFailed', description: 'A row that was refused.' });

export const bulkRowValid = z
  .object({
    uid: rowUid,
    status: z.literal('valid').describe('The row would be created. Nothing was.'),
    warnings: z
      .array(ownText())
      .optional()
      .describe(
        'Problems with its style. Scanners can read the code nevertheless. Absent if there are none.',
      ),
  })
  .meta({ id: 'BulkRowValid', description: 'A row of a dry run that would be done as requested.' });

/** The result of a row. */
export const bulkResultEntry = z.discriminatedUnion('status', [bulkRowDone, bulkRowValid, bulkRowFailed]);

export const bulkQuery = z.object({
  dryRun: switchParameter()
    .default(false)
    .describe(
      'Whether only to check the rows: nothing is created, and the result says of each row whether it would be.',
    ),
});
