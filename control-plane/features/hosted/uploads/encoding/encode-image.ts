/** A picture → the files in which it is stored. */
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import type { KeptFormat } from '../addresses.ts';
import type { GivenImage } from '../given/given-image.ts';
import { decodeImage, measureImage } from './decode-image.ts';
import { fitBytes, type Pixels, pictureOf } from './fit-bytes.ts';
import { jpegSizeOf, keptArea, type Size, sizesOf } from './sizes.ts';

/** Of a data URL: it is in every page with the picture. */
const placeholderLengthMax = 400;
/** The longest side in pixels, and the quality. The first that fits is used. */
const placeholderAttempts = [
  [20, 30],
  [16, 20],
  [12, 10],
  [8, 1],
  [4, 1],
] as const;

const webpUrl = 'data:image/webp;base64,';

/**
 * The picture that is shown until the real one has loaded.
 * @returns a data URL of at most 400 characters; empty if the picture has transparency, through which the placeholder
 * would show
 */
const placeholderOf = async (pixels: Pixels): Promise<string> => {
  if (pixels.channels === 4 && !(await pictureOf(pixels).stats()).isOpaque) return '';
  for (const [side, quality] of placeholderAttempts) {
    const tiny = pictureOf(pixels).resize(side, side, { fit: 'inside', withoutEnlargement: true });
    const bytes = await tiny.blur(0.8).webp({ quality, effort: 6 }).toBuffer();
    const url = webpUrl + bytes.toString('base64');
    if (url.length <= placeholderLengthMax) return url;
  }
  throw new Error('no placeholder is short enough');
};

export interface EncodedFile {
  /** Pixels. */
  width: number;
  format: KeptFormat;
  bytes: Buffer;
}

export interface EncodedImage {
  /** Of the largest size, in pixels. */
  width: number;
  height: number;
  /** Ascending: each as AVIF and as WebP. */
  widths: number[];
  /** The width of the JPEG. */
  jpegWidth: number;
  files: EncodedFile[];
  /** A data: URL, or empty if the picture has transparency. */
  placeholder: string;
}

/** From the smallest size up: each starts with the quality that the previous one ended with. */
const encodeSizes = async (
  pixels: Pixels,
  sizes: readonly Size[],
  format: KeptFormat,
): Promise<EncodedFile[]> => {
  const files: EncodedFile[] = [];
  let begin: number | undefined;
  for (const size of sizes) {
    const { bytes, quality } = await fitBytes(pixels, size, format, begin);
    files.push({ width: size.width, format, bytes });
    begin = quality;
  }
  return files;
};

/** @throws {ClientError} UNPROCESSABLE naming `dataUrl` */
export const encodeImage = async (given: GivenImage, kind: LandingImageKind): Promise<EncodedImage> => {
  const area = keptArea(kind, await measureImage(given));
  const sizes = sizesOf(kind, area);
  const { width, height } = sizes.at(-1)!;
  const pixels = await decodeImage(given, { width, height }, 'cover');
  const jpeg = jpegSizeOf(kind, area);
  const [placeholder, ...files] = await Promise.all([
    placeholderOf(pixels),
    encodeSizes(pixels, sizes, 'avif'),
    encodeSizes(pixels, sizes, 'webp').then(async (encoded) => [
      ...encoded,
      ...(await encodeSizes(pixels, [jpeg], 'jpg')),
    ]),
  ]);
  const widths = sizes.map((size) => size.width);
  return { width, height, widths, jpegWidth: jpeg.width, files: files.flat(), placeholder };
};
