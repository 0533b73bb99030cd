/** The row of a bulk-generate call that is drawn from a stored code. */
import { z } from 'zod';
import { codeIdText } from './bulk-replace.ts';
import { described } from './described.ts';
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
  .strictObject(
    described(
      {
        id: codeIdText,
        returnType: z.enum([...returnTypes, 'pdf']).optional(),
        width: deliveryShape.width.optional(),
        height: deliveryShape.height.optional(),
        source: boundedText(sourceIdLengthMax).optional(),
        format: z.enum(imageFormats).optional(),
        size: deliveryShape.width.optional(),
      },
      {
        id: 'The id of a dynamic code of the workspace: the row is its picture, in its saved style.',
        returnType: 'The format of the picture, whatever the saved `returnType` is. Default: `png`.',
        width:
          'Pixels. Where only one of `width` and `height` is given, the other follows from the frame’s proportions. Default: the ' +
          'saved ones, else 512.',
        height: 'Pixels; see `width`.',
        source: 'The id of one of the code’s `sources`: scans of this picture are counted for it.',
        format: 'Another name of `returnType`.',
        size: 'Pixels of each side, in place of `width` and `height`.',
      },
    ),
  )
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
