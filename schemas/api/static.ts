/** Static codes, as the API returns them. */
import { z } from 'zod';
import { dataTypes } from './data-types.ts';
import { imageFormats } from './images.ts';
import { styleWarnings } from './style.ts';
import { ownText } from './text.ts';

export const staticCode = z.object({
  type: z.literal('static').describe('The kind of code.'),
  dataType: z.enum(dataTypes).describe('The type of the content.'),
  format: z.enum(imageFormats).describe('The format of the picture: `returnType`, with `jpg` for `jpeg`.'),
  image: ownText().describe('The picture: SVG markup for `svg`, a data URI for all other formats.'),
  warnings: styleWarnings,
});

export type StaticCode = z.output<typeof staticCode>;
