/** Erasures, as the API takes and returns them. */
import { z } from 'zod';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

const cursorLengthMax = 200;

/** In this order. */
export const erasureStatuses = ['pending', 'processing', 'completed'] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

export const erasureSubjects = ['code', 'scans'] as const;
export type ErasureSubject = (typeof erasureSubjects)[number];

export const erasureListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of erasures in a page.'),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

export const erasureObject = z.object({
  id: ownText().describe('The id of the erasure, `ers_…`.'),
  codeId: ownText().describe('The id of the code.'),
  subject: z
    .enum(erasureSubjects)
    .describe('What is erased: `code`, with everything that is known of it, or only its `scans`.'),
  status: z
    .enum(erasureStatuses)
    .describe(
      '`pending`: the work has not begun. `processing`: it is under way. `completed`: everything is gone. An erasure never ' +
        'fails. An erased code stops redirecting at once, whatever the status.',
    ),
  scansErased: z
    .int()
    .describe(
      'How many single scans have been removed, previews and bots included. Scans that were kept only as sums are not counted.',
    ),
  createdAt: z.iso.datetime().describe('When it was asked for (ISO 8601, UTC).'),
  completedAt: z.iso.datetime().nullable().describe('When everything was gone. Null until then.'),
});
export type ErasureObject = z.output<typeof erasureObject>;

export const erasureList = z.object({
  data: z.array(erasureObject).describe('A page of erasures, the latest first.'),
  pagination: z
    .object({
      limit: z.int().describe('The largest number of erasures in the page.'),
      cursor: ownText().nullable().describe('The `cursor` of the request. Null on the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
    })
    .describe('The position of the page.'),
});
export type ErasureList = z.output<typeof erasureList>;
