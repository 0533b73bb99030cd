/** Queries for pictures of codes, and links to them. */
import { z } from 'zod';
import { described } from './described.ts';
import { sourceIdLengthMax } from './routing.ts';
import { type Style, sizeMax, sizeMin } from './style.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

export const imageFormats = ['png', 'svg', 'webp', 'jpg', 'pdf'] as const;

export type ImageFormat = (typeof imageFormats)[number];

/** How many seconds a signed link works. */
export const linkTtlMin = 60;
export const linkTtlMax = 86_400;
export const linkTtlDefault = 3600;

/** `jpeg` and `jpg` name the same format. */
export const formatOf = (returnType: Style['returnType'] = 'png'): ImageFormat =>
  returnType === 'jpeg' ? 'jpg' : returnType;

export const codeImageQuery = z.object({
  format: z
    .enum(imageFormats)
    .default('png')
    .meta({ description: 'The format of the picture, whatever the saved `returnType` is.' }),
  size: wholeNumberParameter(sizeMin, sizeMax).optional().meta({
    description: 'Pixels of each side. Default: `width` and `height` of the saved style, else 512.',
  }),
  source: boundedText(sourceIdLengthMax).optional().meta({
    description: 'The id of one of the code’s `sources`: scans of this picture are counted for it.',
  }),
});

export const downloadUrlQuery = codeImageQuery.extend({
  ttl: wholeNumberParameter(linkTtlMin, linkTtlMax)
    .default(linkTtlDefault)
    .meta({ description: 'Seconds that the link works.' }),
});

export const downloadUrl = z.object(
  described(
    { url: ownText(), format: z.enum(imageFormats), expiresAt: z.iso.datetime() },
    {
      url: 'The link. It needs no key.',
      format: 'The format of the picture.',
      expiresAt: 'When the link ends: ISO 8601, UTC.',
    },
  ),
);

/** As long as a request line: any unsigned value is not found. */
const partLengthMax = 16_384;

const part = (description: string) => boundedText(partLengthMax).optional().meta({ description });

/** Every text is accepted: a link that differs from the signed one does not exist. */
export const signedLinkQuery = z.object({
  format: part('As it was signed.'),
  size: part('As it was signed.'),
  source: part('As it was signed.'),
  exp: part('When the link ends, in epoch milliseconds.'),
  sig: part('The signature.'),
});
