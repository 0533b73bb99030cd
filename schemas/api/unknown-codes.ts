/** Scans of codes that do not exist. */
import { z } from 'zod';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

const daysMax = 30;
const pathsDefault = 100;

export const unknownCodesQuery = z.object({
  domain: boundedText(253)
    .transform((text) => text.toLowerCase())
    .optional()
    .describe('Only this domain of the workspace. Default: all of them.'),
  days: wholeNumberParameter(1, daysMax)
    .default(daysMax)
    .describe('The length of the window in days of UTC, today included.'),
  limit: wholeNumberParameter(1, 250).default(pathsDefault).describe('The maximum number of paths.'),
});

export const unknownCodes = z.object({
  data: z
    .array(
      z.object({
        domain: ownText().describe('The domain that was scanned.'),
        path: ownText().describe('The path, without a query.'),
        scans: z.number().int().describe('The number of scans.'),
        lastAt: z.iso.datetime().describe('When the last one was made.'),
      }),
    )
    .describe('The paths with the most scans first.'),
});
