/** A data URI → a file of an accepted format, whose content is as stated. */
import { landingImageBytesMax } from '#schemas/api/landing-image.ts';
import { shortened } from '#shared/quoted.ts';
import { readDataUri } from './data-uri.ts';
import { type ImageFormat, imageFormatOf, nameOfFile } from './image-format.ts';
import { refuseImage } from './refusal.ts';

export interface GivenImage {
  format: ImageFormat;
  bytes: Buffer;
}

const accepted = 'it must be a PNG, JPEG, GIF or WebP picture';

/** `image/jpg` is not registered, but common. */
const stated: Readonly<Record<string, ImageFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/**
 * Nothing is decoded here: see decode-image.ts.
 * @throws {ClientError} UNPROCESSABLE naming `dataUrl`, and both types if the content is of another type than stated;
 * LIMIT_FILE_SIZE
 */
export const readGivenImage = (dataUrl: string): GivenImage => {
  const { type, bytes } = readDataUri(dataUrl, landingImageBytesMax);
  const format = imageFormatOf(bytes);
  if (stated[type] === undefined)
    return refuseImage(`says that it is '${shortened(type)}': ${accepted}, such as image/jpeg`);
  if (format === undefined)
    return refuseImage(`says that it is ${type}, and its content is ${nameOfFile(bytes)}: ${accepted}`);
  if (format !== stated[type])
    refuseImage(`says that it is ${type}, and its content is image/${format}: both must be the same`);
  return { format, bytes };
};
