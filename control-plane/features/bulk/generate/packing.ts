/** Pictures as they are kept until the zip is made: those that are text are compressed. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ImageFormat } from '#schemas/api/images.ts';

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** How large a picture is. */
export interface PackedSize {
  /** As it was drawn. */
  bytes: number;
  /** As it is kept. Absent: as it was drawn. */
  packedBytes?: number;
}

/** The others are compressed already. */
export const isText = (format: ImageFormat): boolean => format === 'svg';

/** A fifth of an SVG is left, in a millisecond for each 100 KB; the zip compresses it better. */
const level = 1;

export const pack = async (picture: Buffer, format: ImageFormat): Promise<Buffer> =>
  isText(format) ? deflate(picture, { level }) : picture;

/** @param bytes of the picture @throws where it is damaged */
export const unpack = async (packed: Buffer, format: ImageFormat, bytes: number): Promise<Buffer> =>
  isText(format) ? inflate(packed, { maxOutputLength: bytes }) : packed;
