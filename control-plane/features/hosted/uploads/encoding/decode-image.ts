/**
 * An untrusted file → pixels. Call this in a process that may crash, hang or run out of memory without harm to other
 * work.
 */
import sharp, { type Metadata } from 'sharp';
import type { GivenImage } from '../given/given-image.ts';
import { refuseImage } from '../given/refusal.ts';
import type { Pixels } from './fit-bytes.ts';
import type { Area } from './sizes.ts';

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

/**
 * The size of a picture as it is seen, which is upright. Nothing is decoded.
 * @throws {ClientError} UNPROCESSABLE naming `dataUrl`
 */
export const measureImage = async (given: GivenImage): Promise<Area> => {
  const metadata = await readMetadata(given);
  if (metadata.format !== given.format) return damaged(`${given.format} is read as ${metadata.format}`);
  const seen = metadata.autoOrient;
  checkPixels(seen);
  return { width: seen.width, height: seen.height };
};

/**
 * Turned upright, in sRGB, and of the given size. Metadata, profiles and further frames are dropped.
 * @param given has been measured
 * @param fit for a size of other proportions: `cover` keeps the middle, `fill` all of the picture
 * @throws {ClientError} UNPROCESSABLE naming `dataUrl`
 */
export const decodeImage = async (
  given: GivenImage,
  { width, height }: Area,
  fit: 'cover' | 'fill',
): Promise<Pixels> => {
  const { data, info } = await sharp(given.bytes, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize(width, height, { fit })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(damaged);
  const { channels } = info;
  if (channels === 3 || channels === 4) return { data, width, height, channels };
  throw new Error(`a picture in sRGB has ${channels} channels`);
};
