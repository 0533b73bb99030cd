/** The export of a serialized batch's pictures, as the API takes and returns it. */
import { z } from 'zod';
import { described } from './described.ts';
import { uriFormats } from './serialized.ts';
import { styleFields, styleWarnings, whyStyleRefused } from './style.ts';
import { boundedText, ownText } from './text.ts';

export const imageExportFormats = ['svg', 'png'] as const;
export type ImageExportFormat = (typeof imageExportFormats)[number];

/** How long the zip can be fetched. */
export const imageExportDays = 30;
/** Pixels of all PNGs of an export together: 50,000 of 1024 × 1024, or 3,125 of 4096 × 4096. */
export const exportPixelsMax = 50_000 * 2 ** 20;

const { returnType: _, ...look } = styleFields;

export const imageExportBody = z
  .strictObject({
    ...described(
      {
        format: z.enum(imageExportFormats).default('svg'),
        uriFormat: z.enum(uriFormats).default('url'),
      },
      {
        format: 'The format of the pictures.',
        uriFormat:
          'What the symbols hold: `url` for `{qr_host}/v/{itemId}/{signature}`, `gs1` for the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}` of a batch with a `gtin`.',
      },
    ),
    ...look,
  })
  .superRefine((body, context) => {
    const message = whyStyleRefused(body);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['brandKitId'], message });
  });

export type ImageExportBody = z.output<typeof imageExportBody>;

export const imageExportAnswer = z.object({
  ...described(
    {
      jobId: ownText(),
      batchId: ownText(),
      format: z.enum(imageExportFormats),
      count: z.int(),
    },
    {
      jobId: 'The id of the export job, `szip_…`.',
      batchId: 'The id of the batch.',
      format: 'The format of the pictures.',
      count: 'How many pictures are drawn.',
    },
  ),
  warnings: styleWarnings,
});

export type ImageExportAnswer = z.output<typeof imageExportAnswer>;

/** Longer than an id. */
const jobIdLengthMax = 60;

export const imageDownloadQuery = z.object(
  described(
    { jobId: boundedText(jobIdLengthMax).min(1) },
    { jobId: 'The id of an export job of this batch, `szip_…`.' },
  ),
);
