/** The upload of a landing page's pictures. */
import { z } from 'zod';
import { boundedText, ownText } from './text.ts';

export const landingImageKinds = ['hero', 'avatar'] as const;
export type LandingImageKind = (typeof landingImageKinds)[number];

/** Of the picture file. */
export const landingImageBytesMax = 5 * 2 ** 20;

/**
 * Characters of a data URI that are read: base64 takes four for three bytes. Data URIs longer than a 5 MB picture needs
 * are refused for that size.
 */
export const dataUrlLengthMax = 8 * 2 ** 20;

const kind = z.enum(landingImageKinds);

export const landingImageUpload = z.strictObject({
  kind: kind.describe(
    '`hero`: the picture at the top, in its own proportions. `avatar`: the portrait, cropped to a square.',
  ),
  dataUrl: boundedText(dataUrlLengthMax).describe(
    'The picture as a data URI, `data:image/jpeg;base64,…`: a PNG, JPEG, GIF or WebP file of at most 5 ' +
      'MB, in base64 without line breaks.',
  ),
});

export const uploadedLandingImage = z.object({
  kind: kind.describe('The `kind` that was sent.'),
  url: ownText().describe(
    'The URL of the picture as a JPEG, which every client can show. It is stored in the page, and the ' +
      'picture at this URL never changes.',
  ),
});
