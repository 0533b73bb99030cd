/** Static codes, as the API returns them. */
import { z } from 'zod';
import { dataTypes } from './data-types.ts';
import { imageFormats } from './images.ts';
import { styleWarnings } from './style.ts';
import { ownText } from './text.ts';

export const staticCode = z.object({
  type: z.literal('static'),
  dataType: z.enum(dataTypes),
  format: z.enum(imageFormats),
  /** Markup for svg, a data URI for all others. */
  image: ownText(),
  warnings: styleWarnings,
});

export type StaticCode = z.output<typeof staticCode>;
