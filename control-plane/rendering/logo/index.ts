/** A logo as it is given → a small PNG that every stage can draw. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp, { type Metadata } from 'sharp';
import { logoBytesMax } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { whySvgRefused } from './svg.ts';

export interface PreparedLogo {
  /** The same for the same picture. */
  id: string;
  /** A data URI of a PNG. */
  href: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Longest side of what is drawn, in pixels: a third of a code of 2,300. */
const sideMax = 768;

/** Before anything is decoded: a picture of this size takes 200 MB. */
const pixelsMax = 50_000_000;

const formats = ['png', 'jpeg', 'gif', 'webp', 'svg'] as const;

const refuse = (why: string, cause?: unknown): never => {
  throw new ClientError('UNPROCESSABLE', `image ${why}`, { cause });
};

interface Given {
  /** Of the data URI; undefined for base64 alone. */
  type: string | undefined;
  file: Buffer;
}

const readDataUri = (image: string): Given => {
  const type = /^data:image\/([a-z+]+);base64,/i.exec(image);
  const file = Buffer.from(image.slice(type?.[0].length ?? 0), 'base64');
  if (file.length > logoBytesMax) refuse('must not be larger than 1 MB');
  return { type: type?.[1]?.toLowerCase().replace('jpg', 'jpeg').replace('svg+xml', 'svg'), file };
};

const readMetadata = async (file: Buffer): Promise<Metadata> => {
  try {
    // Reads the head of the file only, so that its size can be looked at before it is decoded.
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch (error) {
    return refuse('cannot be read: it must be a PNG, JPEG, GIF, WebP or SVG picture', error);
  }
};

const check = ({ type, file }: Given, { format, width = 0, height = 0 }: Metadata): void => {
  if (!formats.some((each) => each === format)) refuse('must be a PNG, JPEG, GIF, WebP or SVG picture');
  if (type !== undefined && type !== format) refuse(`says that it is ${type}, and is ${format}`);
  if (width < 1 || height < 1) refuse('has no size');
  if (format === 'svg') {
    const why = whySvgRefused(file.toString());
    if (why) refuse(`must be a drawing and nothing else, and has ${why}`);
  } else if (width * height > pixelsMax) {
    refuse(`has ${Math.round((width * height) / 1e6)} megapixels, more than ${pixelsMax / 1e6}`);
  }
};

/** Dots per inch at which an SVG becomes as large as it is drawn. */
const densityFor = (longest: number): number => Math.min(72_000, Math.max(1, (72 * sideMax) / longest));

const transcode = async (file: Buffer, { format, width, height }: Metadata) => {
  const options = format === 'svg' ? { density: densityFor(Math.max(width ?? 1, height ?? 1)) } : {};
  try {
    const { data, info } = await sharp(file, { ...options, limitInputPixels: pixelsMax, failOn: 'error' })
      .autoOrient()
      .resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true });
    return {
      href: `data:image/png;base64,${data.toString('base64')}`,
      width: info.width,
      height: info.height,
    };
  } catch (error) {
    return refuse('cannot be read: it is damaged', error);
  }
};

/** Thousands of codes of one run share a logo. */
const prepared = new LRUCache<string, PreparedLogo>({ max: 32 });

/**
 * @param image a data URI, or base64 alone
 * @throws {ClientError} UNPROCESSABLE naming `image`: not a picture, another one than it says, damaged, of more than 50
 *   megapixels, or an SVG with scripts or references to something outside it
 */
export const prepareLogo = async (image: string): Promise<PreparedLogo> => {
  const id = createHash('sha1').update(image).digest('base64url');
  const known = prepared.get(id);
  if (known) return known;
  const given = readDataUri(image);
  const metadata = await readMetadata(given.file);
  check(given, metadata);
  const logo = { id, ...(await transcode(given.file, metadata)) };
  prepared.set(id, logo);
  return logo;
};
