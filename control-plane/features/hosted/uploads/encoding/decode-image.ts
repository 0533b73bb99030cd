/**
 * An untrusted file → pixels. Call this in a process that may crash, hang or run out of memory without harm to other
 * work.
 */
import sharp, { type Metadata } from 'sharp';
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import type { GivenImage } from '../given/given-image.ts';
import { refuseImage } from '../given/refusal.ts';
import type { Pixels } from './fit-bytes.ts';
import { type Area, keptArea, sizesOf } from './sizes.ts';

// Blocks the readers of all other formats in this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
});

/** Checked before anything is decoded: a picture of this size takes 200 MB. */
const pixelsMax = 50_000_000;

const damaged = (cause: unknown) => refuseImage('cannot be read: the picture is damaged or cut off', cause);

/** Reads only the header, so that the size is known before decoding. Of an animation, the first frame. */
const readMetadata = ({ bytes }: GivenImage): Promise<Metadata> =>
  sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata().catch(damaged);

const checkPixels = ({ width, height }: Area): void => {
  if (width < 1 || height < 1) refuseImage('is a picture without size');
  if (width * height > pixelsMax)
    refuseImage(
      `has ${width} × ${height} pixels, ${Math.ceil((width * height) / 1e6)} megapixels; at most ${pixelsMax / 1e6} are allowed`,
    );
};

export interface DecodedImage {
  pixels: Pixels;
  /** The part of the picture that is kept, in its own pixels. */
  area: Area;
}

/**
 * Turned upright, in sRGB, and no larger than the largest size. Metadata, profiles and further frames are dropped.
 * @throws {ClientError} UNPROCESSABLE naming `dataUrl`
 */
export const decodeImage = async (given: GivenImage, kind: LandingImageKind): Promise<DecodedImage> => {
  const metadata = await readMetadata(given);
  if (metadata.format !== given.format) return damaged(`${given.format} is read as ${metadata.format}`);
  const seen = metadata.autoOrient;
  checkPixels(seen);
  const area = keptArea(kind, seen);
  const { width, height } = sizesOf(kind, area).at(-1)!;
  const { data, info } = await sharp(given.bytes, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(damaged);
  const { channels } = info;
  if (channels === 3 || channels === 4) return { pixels: { data, width, height, channels }, area };
  throw new Error(`a picture in sRGB has ${channels} channels`);
};
