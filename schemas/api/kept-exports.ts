/** Exports whose file is kept for some days. */
import { z } from 'zod';
import { scanKinds } from '../scan-event.ts';
import { bulkStatuses } from './bulk.ts';
import { moment } from './scan-filters.ts';
import { boundedText, ownText, timeZoneLengthMax, wholeNumberParameter } from './text.ts';
import { canonicalTimeZone, notTimeZone } from './time-zone.ts';

/** Days for which a file is kept. */
export const exportKeptDays = 7;
/** Bytes of a file, compressed. */
export const exportBytesMax = 2 ** 31;

export const keptExportContents = ['codes', 'scans'] as const;
export type KeptExportContents = (typeof keptExportContents)[number];

export const keptExportFormats = ['ndjson', 'csv'] as const;
export type KeptExportFormat = (typeof keptExportFormats)[number];

const format = z
  .enum(keptExportFormats)
  .default('ndjson')
  .describe(
    '`ndjson`: one JSON object in each line. `csv`: a table for spreadsheet programs. Both are compressed by gzip.',
  );

export const codesExportBody = z.strictObject({ format });

export type CodesExportBody = z.output<typeof codesExportBody>;

export const scansExportBody = z.strictObject({
  format,
  from: moment()
    .optional()
    .describe(
      'Where the window begins: a day of the time zone, or an ISO 8601 instant with an offset. Default: as far back as ' +
        'single scans are kept.',
    ),
  to: moment()
    .optional()
    .describe('Where the window ends: a day, which is included, or an instant, which is not. Default: now.'),
  timezone: boundedText(timeZoneLengthMax, notTimeZone)
    .optional()
    .transform(canonicalTimeZone)
    .describe('The IANA time zone of the days, such as `Europe/Berlin`. Default: `UTC`.'),
  kind: z
    .enum([...scanKinds, 'all'])
    .default('scan')
    .describe('`scan`: counted scans. `bot`: crawlers, link previews and prefetches. `all`: both.'),
});

export type ScansExportBody = z.output<typeof scansExportBody>;

export const keptExportObject = z.object({
  id: ownText().describe('The id of the export, `exp_…`.'),
  contents: z.enum(keptExportContents).describe('What is in the file.'),
  format: z.enum(keptExportFormats).describe('How it is written, before it is compressed.'),
  status: z
    .enum(bulkStatuses)
    .describe(
      '`completed`, `failed` and `cancelled` are final. The file can be downloaded if it is `completed`.',
    ),
  rows: z.int().min(0).describe('How many rows are in the file so far.'),
  bytes: z.int().min(0).describe('The size of the file so far, compressed.'),
  from: z.iso.datetime().optional().describe('Of scans: where the window begins.'),
  to: z.iso
    .datetime()
    .optional()
    .describe('Of scans: where the window ends. Scans made at this moment are not in it.'),
  completeUntil: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe(
      'Of scans: every scan of the window made before this moment is in the file. The window ends there at the latest. ' +
        'Null if it was not known when the export began: then the latest scans may be missing.',
    ),
  error: ownText().optional().describe('Why it failed. Absent if it has not.'),
  createdAt: z.iso.datetime().describe('When it was begun.'),
  completedAt: z.iso.datetime().nullable().describe('When it ended; null if it has not.'),
  fileUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until when the file can be downloaded; null if there is none, or none any more.'),
});

export type KeptExportObject = z.output<typeof keptExportObject>;

export const keptExportListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of exports in a page.'),
  cursor: boundedText(300)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

export const keptExportList = z.object({
  data: z.array(keptExportObject).describe('The exports of this page, the newest first.'),
  pagination: z
    .object({
      limit: z.int().describe('The maximum number of exports in a page.'),
      cursor: ownText().nullable().describe('The `cursor` of this request; null for the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` for the next page; null on the last page.'),
    })
    .describe('This page, and how to get the next page.'),
});

export type KeptExportList = z.output<typeof keptExportList>;
