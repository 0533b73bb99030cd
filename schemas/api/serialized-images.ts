/** The export of a serialized batch's pictures, as the API takes and returns it. */
import { z } from 'zod';
import { uriFormat } from './serialized.ts';
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
    format: z.enum(imageExportFormats).default('svg').describe('The format of the images.'),
    uriFormat,
    ...look,
  })
  .superRefine((body, context) => {
    const message = whyStyleRefused(body);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['brandKitId'], message });
  });

export type ImageExportBody = z.output<typeof imageExportBody>;

export const imageExportAnswer = z.object({
  jobId: ownText().describe('The id of the export job, `szip_…`.'),
  batchId: ownText().describe('The id of the batch.'),
  format: z.enum(imageExportFormats).describe('The format of the images.'),
  count: z.int().describe('The number of images to draw.'),
  warnings: styleWarnings,
});

export type ImageExportAnswer = z.output<typeof imageExportAnswer>;

/** Longer than an id. */
const jobIdLengthMax = 60;

export const imageDownloadQuery = z.object({
  jobId: boundedText(jobIdLengthMax).min(1).describe('The id of an image export of this batch, `szip_…`.'),
});
