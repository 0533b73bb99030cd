/** A picture → the files in which it is kept. */
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import type { KeptFormat } from '../addresses.ts';
import type { GivenImage } from '../given/given-image.ts';
import { decodeImage } from './decode-image.ts';
import { fitBytes, type Pixels } from './fit-bytes.ts';
import { placeholderOf } from './placeholder.ts';
import { jpegSizeOf, type Size, sizesOf } from './sizes.ts';

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
  /** The one that is a JPEG. */
  jpegWidth: number;
  files: EncodedFile[];
  /** A data: URL, or empty where the picture is transparent somewhere. */
  placeholder: string;
}

/** From the smallest on: each begins with the quality that the one before it has found. */
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
  const { pixels, area } = await decodeImage(given, kind);
  const sizes = sizesOf(kind, area);
  const jpeg = jpegSizeOf(kind, area);
  const [placeholder, ...files] = await Promise.all([
    placeholderOf(pixels),
    encodeSizes(pixels, sizes, 'avif'),
    encodeSizes(pixels, sizes, 'webp').then(async (encoded) => [
      ...encoded,
      ...(await encodeSizes(pixels, [jpeg], 'jpg')),
    ]),
  ]);
  const { width, height } = sizes.at(-1)!;
  const widths = sizes.map((size) => size.width);
  return { width, height, widths, jpegWidth: jpeg.width, files: files.flat(), placeholder };
};
