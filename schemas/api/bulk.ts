/** Bulk operations, as the API takes and returns them. */
import { z } from 'zod';
import { described } from './described.ts';
import { ownText, requiredLabel } from './text.ts';

/** Rows per call. */
export const bulkRowsMax = 1_000;
export const uidLengthMax = 200;

/** A row's name in its call. */
export const uid = requiredLabel(uidLengthMax);

export const bulkKinds = ['create', 'replace', 'generate'] as const;
export const bulkStatuses = ['pending', 'processing', 'completed', 'failed'] as const;

const rowCount = z.int().min(0);

/** Times are ISO 8601. */
export const bulkProgress = z.object(
  described(
    {
      bulkId: ownText(),
      kind: z.enum(bulkKinds),
      status: z.enum(bulkStatuses),
      total: rowCount,
      processed: rowCount,
      succeeded: rowCount,
      failed: rowCount,
      createdAt: ownText(),
      updatedAt: ownText(),
    },
    {
      bulkId: 'Its id, `blk_…`.',
      kind: 'What is done with its rows.',
      status:
        '`pending` until work on its rows begins, `processing` until the last one is done, then `completed`; `failed` where its ' +
        'last step failed. `completed` and `failed` are final.',
      total: 'Its rows.',
      processed: 'How many are done: `succeeded` and `failed` together.',
      succeeded: 'Rows that were done as asked.',
      failed: 'Rows that were refused; the result says why.',
      createdAt: 'When it was submitted, in ISO 8601.',
      updatedAt: 'When it last made progress, in ISO 8601.',
    },
  ),
);

export type BulkProgress = z.output<typeof bulkProgress>;

export const bulkRowDone = z
  .object(
    described(
      {
        uid: ownText(),
        status: z.enum(['created', 'updated', 'unchanged']),
        id: ownText(),
        redirectUrl: ownText(),
        warnings: z.array(ownText()).optional(),
      },
      {
        uid: 'As it was sent.',
        status: 'What was done.',
        id: 'The id of the code.',
        redirectUrl: 'What the pattern of the code encodes.',
        warnings:
          'What is questionable about its style, which scanners can read nevertheless; absent where nothing is.',
      },
    ),
  )
  .meta({ id: 'BulkRowDone', description: 'A row that was done as asked.' });

export const bulkRowFailed = z
  .object(
    described(
      { uid: ownText(), status: z.literal('failed'), message: ownText(), code: ownText() },
      {
        uid: 'As it was sent.',
        status: 'The row was refused.',
        message: 'What was wrong, naming the field.',
        code: 'The same for programs, as in the answer to a single create.',
      },
    ),
  )
  .meta({ id: 'BulkRowFailed', description: 'A row that was refused.' });

/** The result of a row. */
export const bulkResultEntry = z.discriminatedUnion('status', [bulkRowDone, bulkRowFailed]);
