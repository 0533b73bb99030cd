/** The row of a bulk-generate call that is drawn from a stored code. */
import { z } from 'zod';
import { codeIdText } from './bulk-replace.ts';
import { formatOf, type ImageFormat, imageFormats } from './images.ts';
import { sourceIdLengthMax } from './routing.ts';
import { deliveryShape, returnTypes } from './style.ts';
import { boundedText } from './text.ts';

/** The fields of other rows, and their names as parameters of a single picture. */
const synonyms = [
  ['format', 'returnType'],
  ['size', 'width'],
  ['size', 'height'],
] as const;

/** Without its `uid`. */
export const codePictureRow = z
  .strictObject({
    id: codeIdText.describe(
      'The id of a dynamic code of the workspace. Its picture is drawn in its saved style.',
    ),
    returnType: z
      .enum([...returnTypes, 'pdf'])
      .optional()
      .describe('The format of the picture, regardless of the saved `returnType`. Default: `png`.'),
    width: deliveryShape.width
      .optional()
      .describe(
        'The width in pixels. If only one of `width` and `height` is given, the other follows from the ' +
          'proportions of the frame. Default: the saved size, or 512 if none is saved.',
      ),
    height: deliveryShape.height.optional().describe('The height in pixels. See `width`.'),
    source: boundedText(sourceIdLengthMax)
      .optional()
      .describe('The id of one of the code’s `sources`. Scans of this picture count for it.'),
    format: z.enum(imageFormats).optional().describe('Another name for `returnType`.'),
    size: deliveryShape.width
      .optional()
      .describe('The pixels of each side, instead of `width` and `height`.'),
  })
  .superRefine((row, context) => {
    for (const [one, other] of synonyms)
      if (row[one] !== undefined && row[other] !== undefined)
        context.addIssue({ code: 'custom', path: [one], message: `must not be given with ${other}` });
  });

type CodePictureRow = z.output<typeof codePictureRow>;

/** Whether a row is for a stored code; any other row is the body of a static code, which has no `id`. */
export const isCodePictureRow = (row: unknown): row is { id: unknown } =>
  typeof row === 'object' && row !== null && Object.hasOwn(row, 'id');

/** The format of a code's picture. */
export const formatOfRow = ({ format, returnType }: CodePictureRow): ImageFormat =>
  format ?? (returnType === 'pdf' ? returnType : formatOf(returnType));
