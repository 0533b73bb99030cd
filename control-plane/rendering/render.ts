/** All stages in their order, without a pool: what a worker runs. */
import { LRUCache } from 'lru-cache';
import { marginMax, sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { checkCaptionColor } from './captions/color.ts';
import type { Caption } from './captions/index.ts';
import { fillsPicture, proportionOf } from './composition.ts';
import { checkContrast } from './contrast.ts';
import type { Drawing } from './drawing.ts';
import { explainUnread } from './explain.ts';
import { drawFlat, encodeFlatPng, flatColors, flatPixels } from './flat-png.ts';
import { prepareLogo } from './logo/index.ts';
import { encodeMatrix } from './matrix.ts';
import { encodePng } from './png.ts';
import { isRead } from './proof.ts';
import { encodePicture, type Pixels, type RasterFormat } from './raster.ts';
import {
  composeScene,
  drawScene,
  isBare,
  pixelsOf,
  rasteriseScene,
  type Scene,
  scaled,
  scaledSize,
} from './scene.ts';
import { pictureSize, proofScale, proofSideMax, refuseTooSmall, type Size, sizeNeeded } from './size.ts';
import type { FrameStyle, ResolvedStyle } from './style.ts';

export const pictureFormats = ['png', 'svg', 'webp', 'jpg', 'pdf'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface RenderRequest {
  /** The text that a scanner shows. */
  payload: string;
  /** A GS1 element string: the symbol begins with FNC1, and U+001D in the payload separates its elements. */
  fnc1?: boolean;
  style: ResolvedStyle;
  format: PictureFormat;
  /**
   * Pixels (points in a PDF), 64 to 4096. Where one is missing it follows from the other, as the frame's proportions are;
   * where both are, the picture is a square. What is not of these proportions lies in the middle.
   */
  width?: number | undefined;
  height?: number | undefined;
  /**
   * `picture` (default): this very picture is read before it is handed out. `style`: the first of each style, symbol size
   * and picture size is, for those that follow; for runs of thousands.
   */
  proof?: 'picture' | 'style';
  /** What becomes of a picture that would be read if it were larger. Default: it is refused. */
  tooSmall?: 'refuse' | 'draw';
}

export interface Rendered {
  body: Buffer;
  contentType: string;
  /** `yes`: this picture was read and says its payload. Else why it was handed out without. */
  decoded: string;
  /** Of a picture that is too small to be read: the size that would do. */
  sizeNeeded?: Size;
}

const checkRange = (field: string, value: number, min: number, max: number): void => {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ClientError('UNPROCESSABLE', `${field} must be a whole number from ${min} to ${max}`);
};

/** Fonts and their shaper are loaded when the first caption is to be set. */
const prepareCaption = async (frame: FrameStyle): Promise<Caption | undefined> => {
  if (frame.text.trim() === '') return undefined;
  const { setCaption } = await import('./captions/index.ts');
  return setCaption(frame);
};

const setScene = async (request: RenderRequest): Promise<Scene> => {
  const { payload, fnc1, style } = request;
  if (request.width !== undefined) checkRange('width', request.width, sizeMin, sizeMax);
  if (request.height !== undefined) checkRange('height', request.height, sizeMin, sizeMax);
  checkRange('margin', style.margin, 0, marginMax);
  checkContrast(style);
  if (style.frame) checkCaptionColor(style.frame);
  const matrix = encodeMatrix(payload, style.level, { version: style.version, mode: style.mode, fnc1 });
  const logo = style.logo && (await prepareLogo(style.logo.image));
  const caption = style.frame && (await prepareCaption(style.frame));
  const proportion = proportionOf(style, caption, matrix.size + 2 * style.margin);
  return { matrix, style, logo, caption, ...pictureSize(request, proportion) };
};

interface Picture {
  /** Set where the picture has too few pixels for its modules. */
  needed?: Size | undefined;
  /** The picture as a reader sees it. */
  look(): Pixels | Promise<Pixels>;
  encode(): Buffer | Promise<Buffer>;
}

const contentTypes: Record<PictureFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
};

/** Plain squares as a PNG need no drawing; undefined for all else. */
const makeFlat = ({ matrix, style, width, height }: Scene, format: PictureFormat): Picture | undefined => {
  const colors = format === 'png' ? flatColors(style) : undefined;
  const flat = colors && drawFlat(matrix, style.margin, colors, width, height);
  return flat && { look: () => flatPixels(flat), encode: () => encodeFlatPng(flat) };
};

const makeVectors = (scene: Scene, drawing: Drawing, format: 'svg' | 'pdf'): Picture => {
  const composition = composeScene(drawing, scene);
  const { svg, width, height } = composition;
  const scale = proofScale(scene, composition, true);
  return {
    look: () => pixelsOf(drawing, scaled(scene, scale)),
    async encode() {
      if (format === 'svg') return Buffer.from(svg());
      // A third of what a thread loads, and few pictures need it.
      const { toPdf } = await import('./pdf.ts');
      return toPdf(svg(), width, height);
    },
  };
};

/** Whether the background covers every pixel. */
const isOpaque = ({ style, width, height }: Scene): boolean =>
  style.background.paint !== 'transparent' &&
  style.background.round === 0 &&
  !style.frame &&
  (width === height || fillsPicture(style, width, height));

const makePixels = (scene: Scene, drawing: Drawing, format: RasterFormat): Picture => {
  const composition = composeScene(drawing, scene);
  const scale = proofScale(scene, composition, false);
  let pixels: Pixels | undefined;
  return {
    needed: sizeNeeded(scene, composition),
    async look() {
      if (scale !== 1) return pixelsOf(drawing, scaled(scene, scale));
      pixels = await pixelsOf(drawing, scene);
      return pixels;
    },
    async encode() {
      const opaque = isOpaque(scene);
      if (!isBare(drawing, scene)) return encodePicture(pixels ?? composition.svg(), format, { opaque });
      pixels ??= await pixelsOf(drawing, scene);
      return format === 'png' ? encodePng(pixels, { opaque }) : encodePicture(pixels, format, { opaque });
    },
  };
};

const makePicture = async (scene: Scene, format: PictureFormat): Promise<Picture> => {
  const flat = makeFlat(scene, format);
  if (flat) return flat;
  const drawing = await drawScene(scene);
  return format === 'svg' || format === 'pdf'
    ? makeVectors(scene, drawing, format)
    : makePixels(scene, drawing, format);
};

/** What pictures have in common that are read alike. */
const kindOf = ({ matrix, style, logo, width, height }: Scene, format: PictureFormat): string =>
  JSON.stringify([
    matrix.size,
    width,
    height,
    format,
    logo?.id,
    { ...style, logo: { ...style.logo, image: '' } },
  ]);

/** The kinds of which a picture was read. */
const readKinds = new LRUCache<string, true>({ max: 5_000 });

type Proof = Pick<Rendered, 'decoded' | 'sizeNeeded'>;

/** What a picture says of itself that is handed out although nothing reads it. */
const tooSmall = 'no: too small';

/** Makes the picture larger until it is read. @param from undefined: twice as large as it is */
const proveLarger = async (
  scene: Scene,
  payload: string,
  from = scaledSize(scene, 2),
): Promise<Proof | undefined> => {
  for (let size = from; Math.max(size.width, size.height) <= proofSideMax; size = scaledSize(size, 2)) {
    if (await isRead(await rasteriseScene({ ...scene, ...size }), payload))
      return { decoded: tooSmall, sizeNeeded: size };
  }
  return undefined;
};

/** @throws {ClientError} UNPROCESSABLE saying why nothing reads it and what would help */
const prove = async (scene: Scene, picture: Picture, request: RenderRequest): Promise<Proof> => {
  const { payload, format, proof } = request;
  const { needed } = picture;
  if (needed && request.tooSmall !== 'draw') refuseTooSmall(scene, needed);
  const kind = kindOf(scene, format);
  if (proof === 'style' && readKinds.has(kind)) return { decoded: 'one of its kind' };
  if (!needed && (await isRead(await picture.look(), payload))) {
    readKinds.set(kind, true);
    return { decoded: 'yes' };
  }
  const larger = request.tooSmall === 'draw' && (await proveLarger(scene, payload, needed));
  if (larger) return larger;
  throw new ClientError('UNPROCESSABLE', await explainUnread(scene, payload));
};

/** @throws {ClientError} UNPROCESSABLE naming what cannot be drawn, or what keeps readers from reading it */
export const render = async (request: RenderRequest): Promise<Rendered> => {
  const { format } = request;
  const scene = await setScene(request);
  const picture = await makePicture(scene, format);
  const proof = await prove(scene, picture, request);
  return { body: await picture.encode(), contentType: contentTypes[format], ...proof };
};
