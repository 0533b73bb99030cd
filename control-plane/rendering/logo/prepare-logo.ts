/** A given logo → a small picture that every stage can draw and, for an SVG, its vectors. */
import { createHash } from 'node:crypto';
import sharp, { type Metadata } from 'sharp';
import { logoBytesMax } from '#schemas/api/logo.ts';
import { type EmbeddedSvg, embedSvg } from '../vector/embedded-svg.ts';
import { type EncodedLogo, encodeSmall } from './encode.ts';
import { refuseLogo } from './refusal.ts';
import { readSvg } from './svg/read-svg.ts';

export interface PreparedLogo {
  /** Equal for the same file at the same size. */
  id: string;
  /** A data URI of a PNG or JPEG. */
  href: string;
  /** Pixels. */
  width: number;
  height: number;
  /** The vectors of an SVG logo. */
  svg?: EmbeddedSvg | undefined;
}

/** Checked before anything is decoded: a picture of this size takes 200 MB. */
const pixelsMax = 50_000_000;

const formats = ['png', 'jpeg', 'gif', 'webp', 'svg'] as const;

interface GivenFile {
  /** According to the data URI; undefined for plain base64. */
  type: string | undefined;
  file: Buffer;
}

const readDataUri = (image: string): GivenFile => {
  const type = /^data:image\/([a-z+]+);base64,/i.exec(image);
  const file = Buffer.from(image.slice(type?.[0].length ?? 0), 'base64');
  if (file.length > logoBytesMax) refuseLogo('must not be larger than 1 MB');
  return { type: type?.[1]?.toLowerCase().replace('jpg', 'jpeg').replace('svg+xml', 'svg'), file };
};

const checkType = (type: string | undefined, format: string | undefined): void => {
  if (!formats.some((each) => each === format)) refuseLogo('must be a PNG, JPEG, GIF, WebP or SVG picture');
  if (type !== undefined && type !== format) refuseLogo(`says that it is ${type}, and is ${format}`);
};

/** The bytes of byte order marks, and the zeros between the letters of UTF-16. */
const marks: ReadonlySet<number> = new Set([0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);

/** Whether a file begins like markup, in any encoding. */
const isMarkup = (file: Buffer): boolean =>
  file.subarray(0, 64).find((byte) => !marks.has(byte) && byte > 0x20) === '<'.charCodeAt(0);

const readMetadata = async (file: Buffer): Promise<Metadata> => {
  try {
    // Reads only the head of the file, so that its size is known before it is decoded.
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch (error) {
    return refuseLogo('cannot be read: it must be a PNG, JPEG, GIF, WebP or SVG picture', error);
  }
};

const damaged = (error: unknown) => refuseLogo('cannot be read: it is damaged', error);

/** Reads a picture of pixels, or the first frame of an animation. */
const preparePixels = async ({ type, file }: GivenFile, sidePixelsMax: number): Promise<EncodedLogo> => {
  const { format, width = 0, height = 0 } = await readMetadata(file);
  checkType(type, format);
  if (width < 1 || height < 1) refuseLogo('has no size');
  if (width * height > pixelsMax)
    refuseLogo(`has ${Math.round((width * height) / 1e6)} megapixels, more than ${pixelsMax / 1e6}`);
  const picture = sharp(file, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize(sidePixelsMax, sidePixelsMax, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  return encodeSmall(picture, file.length).catch(damaged);
};

const namespace = ' xmlns="http://www.w3.org/2000/svg"';

/** Reads an SVG. The rasteriser never sees the file itself, only the parts that were understood. */
const prepareSvg = async ({ type, file }: GivenFile, sidePixelsMax: number) => {
  checkType(type, 'svg');
  const drawing = readSvg(file);
  const scale = sidePixelsMax / Math.max(drawing.width, drawing.height);
  const [width, height] = [drawing.width, drawing.height].map((each) =>
    Math.max(1, Math.round(each * scale)),
  );
  const svg = embedSvg(drawing.parts, `${namespace} width="${width}" height="${height}"`, 'l');
  // Vector formats embed its vectors; its pixels are for the other formats.
  const encoded = await encodeSmall(sharp(Buffer.from(svg)), logoBytesMax).catch(damaged);
  return { ...encoded, svg: drawing.parts };
};

/**
 * Reads an untrusted file. Call it in a process whose crash, hang or full memory harms no other work.
 * @param image a data URI, or only base64
 * @param sidePixelsMax longest side of the logo in the picture
 * @throws {ClientError} UNPROCESSABLE naming `image`: not a picture, not of its stated type, damaged, of more than 50
 * megapixels, or an SVG that is more than a drawing or draws too much
 */
export const prepareLogo = async (image: string, sidePixelsMax: number): Promise<PreparedLogo> => {
  const given = readDataUri(image);
  const prepared = await (isMarkup(given.file) ? prepareSvg : preparePixels)(given, sidePixelsMax);
  const id = createHash('sha1').update(`${sidePixelsMax} ${image}`).digest('base64url');
  return { id, ...prepared };
};
