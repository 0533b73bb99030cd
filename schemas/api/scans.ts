/** Single scans of a workspace. */
import { z } from 'zod';
import { devices, operatingSystems, scanKinds } from '../scan-event.ts';
import { checkWindow, filterFields, windowFields } from './scan-filters.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

export const scanFormats = ['json', 'ndjson', 'csv'] as const;
export type ScanFormat = (typeof scanFormats)[number];

const limitDefault = 25;
const cursorLengthMax = 300;

export const scanListQuery = z
  .object({
    ...windowFields,
    ...filterFields,
    kind: z
      .enum([...scanKinds, 'all'])
      .default('scan')
      .describe('`scan`: counted scans. `bot`: crawlers, link previews and prefetches. `all`: both.'),
    order: z
      .enum(['asc', 'desc'])
      .optional()
      .describe('The order of recording: `desc` begins with the newest. Default: `desc` for pages of JSON.'),
    limit: wholeNumberParameter(1, 100)
      .optional()
      .describe(`The maximum number of scans in a page of JSON. Default: ${limitDefault}.`),
    cursor: boundedText(cursorLengthMax)
      .optional()
      .describe('The `pagination.nextCursor` of the previous page, or the `id` of an event of a stream.'),
    format: z
      .enum(scanFormats)
      .optional()
      .describe(
        'Instead of an `Accept` header: `json` for a page, `ndjson` or `csv` for all scans of the window.',
      ),
  })
  .superRefine(checkWindow);

export type ScanListQuery = z.output<typeof scanListQuery>;

export const limitOf = ({ limit = limitDefault }: Pick<ScanListQuery, 'limit'>): number => limit;

export const scanObject = z.object({
  id: ownText().describe('The id of the scan: 32 hexadecimal digits in five groups.'),
  code: ownText().describe('The id of the code, or of the entry of a GS1 link.'),
  scannedAt: z.iso.datetime().describe('When it was made.'),
  recordedAt: z.iso
    .datetime()
    .describe('When it was recorded, at most some seconds later if nothing is broken.'),
  kind: z.enum(scanKinds).describe('`bot`: a crawler, a link preview or a prefetch, which is not counted.'),
  device: z.enum(devices).describe('The kind of device.'),
  os: z.enum(operatingSystems).describe('The operating system.'),
  browser: ownText().nullable().describe('The browser; null if it is unknown.'),
  country: ownText().nullable().describe('ISO 3166-1 alpha-2; null if it is unknown.'),
  referrer: ownText().nullable().describe('The host of the referring page; null if there is none.'),
  source: ownText().nullable().describe('The value of `?s=`, if the code has such a source.'),
  variant: ownText().nullable().describe('The id of the variant of a campaign that the scan went to.'),
  rule: ownText().nullable().describe('The id of the routing rule that matched.'),
});

export type ScanObject = z.output<typeof scanObject>;

export const scanList = z.object({
  data: z.array(scanObject).describe('The scans of this page.'),
  pagination: z
    .object({
      limit: z.number().int().describe('The maximum number of scans in a page.'),
      cursor: ownText().nullable().describe('The cursor of this page; null for the first one.'),
      nextCursor: ownText().nullable().describe('The cursor of the next page; null on the last one.'),
    })
    .describe('Where the page is in the list.'),
  completeUntil: z.iso
    .datetime()
    .nullable()
    .describe(
      'Every scan that came before this moment has been recorded. Null if it is not known at the moment. Later scans may ' +
        'still be on their way: it lies at least fifteen seconds back, the longest that a scan waits for its answer.',
    ),
});

export type ScanList = z.output<typeof scanList>;
