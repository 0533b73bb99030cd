/** Pictures as they are kept until the zip is made: text formats are compressed. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ImageFormat } from '#schemas/api/images.ts';

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The size of a picture. */
export interface PackedSize {
  /** As drawn. */
  bytes: number;
  /** As kept. Absent: as drawn. */
  packedBytes?: number;
}

/** The other formats are compressed already. */
export const isText = (format: ImageFormat): boolean => format === 'svg';

/** Leaves a fifth of an SVG, in a millisecond per 100 KB; the zip compresses it better. */
const level = 1;

export const pack = async (picture: Buffer, format: ImageFormat): Promise<Buffer> =>
  isText(format) ? deflate(picture, { level }) : picture;

/** @param bytes of the unpacked picture @throws if it is damaged */
export const unpack = async (packed: Buffer, format: ImageFormat, bytes: number): Promise<Buffer> =>
  isText(format) ? inflate(packed, { maxOutputLength: bytes }) : packed;
