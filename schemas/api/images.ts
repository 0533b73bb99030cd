/** Queries for pictures of codes, and links to them. */
import { z } from 'zod';
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
    .describe('The format of the picture. The saved `returnType` is ignored.'),
  size: wholeNumberParameter(sizeMin, sizeMax)
    .optional()
    .describe('Pixels of each side. Default: `width` and `height` of the saved style, otherwise 512.'),
  source: boundedText(sourceIdLengthMax)
    .optional()
    .describe('The id of one of the code’s `sources`. Scans of this picture are counted for it.'),
});

export const downloadUrlQuery = codeImageQuery.extend({
  ttl: wholeNumberParameter(linkTtlMin, linkTtlMax)
    .default(linkTtlDefault)
    .describe('How long the link works, in seconds.'),
});

export const downloadUrl = z.object({
  url: ownText().describe('The link. It needs no key.'),
  format: z.enum(imageFormats).describe('The format of the picture.'),
  expiresAt: z.iso.datetime().describe('When the link expires: ISO 8601 in UTC.'),
});

/** As long as a request line: any unsigned value is not found. */
const partLengthMax = 16_384;

const part = () => boundedText(partLengthMax).optional();

/** Every text is accepted: a link that differs from the signed one does not exist. */
export const signedLinkQuery = z.object({
  format: part().describe('The value that was signed.'),
  size: part().describe('The value that was signed.'),
  source: part().describe('The value that was signed.'),
  exp: part().describe('When the link expires, in milliseconds since 1970.'),
  sig: part().describe('The signature.'),
});
