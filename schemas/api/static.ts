/** Static codes, as the API returns them. */
import { z } from 'zod';
import { codeFieldTexts } from './code-texts.ts';
import { dataTypes } from './data-types.ts';
import { described } from './described.ts';
import { imageFormats } from './images.ts';
import { styleWarnings } from './style.ts';
import { ownText } from './text.ts';

export const staticCode = z.object({
  ...described(
    {
      type: z.literal('static'),
      dataType: z.enum(dataTypes),
      format: z.enum(imageFormats),
      image: ownText(),
    },
    {
      type: 'What kind of code it is.',
      dataType: codeFieldTexts.dataType,
      format: 'The format of the picture: `returnType`, where `jpeg` is `jpg`.',
      image: 'The picture: SVG markup for `svg`, a data URI for all others.',
    },
  ),
  warnings: styleWarnings,
});

export type StaticCode = z.output<typeof staticCode>;
