/** What a workspace sets about its scans. */
import { z } from 'zod';
import { wholeNumber } from './numbers.ts';

/** The longest time that a server can keep scans (`SCAN_RETENTION_DAYS`). */
const daysMax = 25_000;

export const changeSettingsBody = z.strictObject({
  scanRetentionDays: wholeNumber(1, daysMax)
    .nullable()
    .optional()
    .describe(
      'For how many days single scans are kept, at most as long as the server keeps them. Older ones are deleted at ' +
        'night. The sums of days and quarters of an hour stay: they tell nothing of a single scan. `null`: as long as ' +
        'the server keeps them.',
    ),
});

export const workspaceSettings = z.object({
  scanRetentionDays: z
    .number()
    .int()
    .nullable()
    .describe('For how many days single scans are kept; null: as long as the server keeps them.'),
  scanRetentionDaysMax: z.number().int().describe('For how many days the server keeps them.'),
});
