/** A logo as it is given → a small picture that every stage can draw, and, of an SVG, the drawing itself. */
import { createHash } from 'node:crypto';
import sharp, { type Metadata } from 'sharp';
import { logoBytesMax } from '#schemas/api/style.ts';
import { placeSvg } from '../vector/embedded-svg.ts';
import { type EncodedLogo, encodeSmall } from './encode.ts';
import { refuseLogo } from './refusal.ts';
import { readSvg } from './svg.ts';

export interface PreparedLogo {
  /** The same for the same picture in the same size. */
  id: string;
  /** A data URI of a PNG or JPEG. */
  href: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Of an SVG: the drawing, see `placeSvg`. */
  drawing?: readonly string[] | undefined;
}

/** Before anything is decoded: a picture of this size takes 200 MB. */
const pixelsMax = 50_000_000;

const formats = ['png', 'jpeg', 'gif', 'webp', 'svg'] as const;

interface Given {
  /** Of the data URI; undefined for base64 alone. */
  type: string | undefined;
  file: Buffer;
}

const readDataUri = (image: string): Given => {
  const type = /^data:image\/([a-z+]+);base64,/i.exec(image);
  const file = Buffer.from(image.slice(type?.[0].length ?? 0), 'base64');
  if (file.length > logoBytesMax) refuseLogo('must not be larger than 1 MB');
  return { type: type?.[1]?.toLowerCase().replace('jpg', 'jpeg').replace('svg+xml', 'svg'), file };
};

const checkType = (type: string | undefined, format: string | undefined): void => {
  if (!formats.some((each) => each === format)) refuseLogo('must be a PNG, JPEG, GIF, WebP or SVG picture');
  if (type !== undefined && type !== format) refuseLogo(`says that it is ${type}, and is ${format}`);
};

/** Of byte order marks, and of the zeros between the letters of UTF-16. */
const marks: ReadonlySet<number> = new Set([0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);

/** Whether a file begins as markup does, in whatever encoding. */
const isMarkup = (file: Buffer): boolean =>
  file.subarray(0, 64).find((byte) => !marks.has(byte) && byte > 0x20) === '<'.charCodeAt(0);

const readMetadata = async (file: Buffer): Promise<Metadata> => {
  try {
    // Reads the head of the file only, so that its size can be looked at before it is decoded.
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch (error) {
    return refuseLogo('cannot be read: it must be a PNG, JPEG, GIF, WebP or SVG picture', error);
  }
};

const damaged = (error: unknown) => refuseLogo('cannot be read: it is damaged', error);

/** Of a picture with frames the first. */
const preparePixels = async ({ type, file }: Given, sideMax: number): Promise<EncodedLogo> => {
  const { format, width = 0, height = 0 } = await readMetadata(file);
  checkType(type, format);
  if (width < 1 || height < 1) refuseLogo('has no size');
  if (width * height > pixelsMax)
    refuseLogo(`has ${Math.round((width * height) / 1e6)} megapixels, more than ${pixelsMax / 1e6}`);
  const picture = sharp(file, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  return encodeSmall(picture, file.length).catch(damaged);
};

const namespace = ' xmlns="http://www.w3.org/2000/svg"';

/** Nothing of the file itself reaches the rasteriser, only what was understood of it. */
const prepareDrawing = async ({ type, file }: Given, sideMax: number) => {
  checkType(type, 'svg');
  const drawing = readSvg(file);
  const scale = sideMax / Math.max(drawing.width, drawing.height);
  const [width, height] = [drawing.width, drawing.height].map((each) =>
    Math.max(1, Math.round(each * scale)),
  );
  const svg = placeSvg(drawing.parts, `${namespace} width="${width}" height="${height}"`, 'l');
  // It leaves the service as vectors: its pixels are for pictures of pixels, and as many as these show.
  const encoded = await encodeSmall(sharp(Buffer.from(svg)), logoBytesMax).catch(damaged);
  return { ...encoded, drawing: drawing.parts };
};

/**
 * Reads files of strangers: call it where a crash, a hang or a greed for memory hurts nobody.
 * @param image a data URI, or base64 alone
 * @param sideMax longest side that the picture shows of it, in pixels
 * @throws {ClientError} UNPROCESSABLE naming `image`: not a picture, another one than it says, damaged, of more than 50
 *   megapixels, or an SVG that is more than a drawing or draws too much
 */
export const prepareLogo = async (image: string, sideMax: number): Promise<PreparedLogo> => {
  const given = readDataUri(image);
  const prepared = await (isMarkup(given.file) ? prepareDrawing : preparePixels)(given, sideMax);
  const id = createHash('sha1').update(`${sideMax} ${image}`).digest('base64url');
  return { id, ...prepared };
};
