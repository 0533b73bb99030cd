/** The pixels of a picture, the pixels that a reader needs, and the pixels that suffice for a proof. */
import { sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import {
  circleModulePixelsMin,
  circleWithLogoModulePixelsMin,
  proofModulePixels,
  readableModulePixelsMin,
} from '../symbol/module-pixels.ts';
import type { Composition } from './composition.ts';
import type { Scene, Size } from './scene.ts';

/** Width and height if neither is requested, in pixels. */
export const sizeDefault = 512;

const clampSize = (side: number): number => Math.min(sizeMax, Math.max(sizeMin, Math.round(side)));

/**
 * Width and height of a picture. A missing one follows from the other, from 64 to 4096.
 * @param proportion width over height
 */
export const pictureSize = (
  asked: { width?: number | undefined; height?: number | undefined },
  proportion: number,
): Size => {
  const { width, height } = asked;
  if (width === undefined && height === undefined) return { width: sizeDefault, height: sizeDefault };
  return {
    width: width ?? clampSize(height! * proportion),
    height: height ?? clampSize(width! / proportion),
  };
};

/**
 * The size of a module in a circle, as a share of its size in a square: a circle has more modules around the symbol.
 */
const circleShare = 0.7;

/** Pixels per module. */
export const modulePixels = ({ matrix, look }: Scene, { code }: Composition): number =>
  (code.side / (matrix.size + 2 * look.margin)) * (look.shape === 'circle' ? circleShare : 1);

/** The pixels per module that a reader needs, even if its picture is somewhat blurred. */
const modulePixelsMin = ({ matrix, look }: Scene): number => {
  const readable = readableModulePixelsMin(matrix.size);
  if (look.shape !== 'circle') return readable;
  const withLogo = look.logo && circleWithLogoModulePixelsMin[look.dots.type];
  return Math.max(readable, withLogo ?? circleModulePixelsMin);
};

/** For messages. */
export const formatSize = ({ width, height }: Size): string =>
  width === height ? `${width}` : `${width} × ${height}`;

/** The size that a picture needs for a reader to count its modules correctly; undefined if it is large enough. */
export const sizeNeeded = (scene: Scene, composition: Composition): Size | undefined => {
  const scale = modulePixelsMin(scene) / modulePixels(scene, composition);
  // With a small tolerance: quotients of integers are not exact.
  if (scale <= 1 + 1e-9) return undefined;
  const needed = (side: number): number => Math.ceil(side * scale - 1e-6);
  return { width: needed(scene.width), height: needed(scene.height) };
};

/** @throws {ClientError} UNPROCESSABLE with the needed size */
export const refuseTooSmall = ({ matrix, look, width, height }: Scene, needed: Size): never => {
  throw new ClientError(
    'UNPROCESSABLE',
    `size ${formatSize({ width, height })} is too small to be read: the ${matrix.size + 2 * look.margin} modules of this code, ` +
      `quiet zone included, need ${formatSize(needed)}`,
  );
};

/**
 * The longest side of a picture that is read as a proof, in pixels; a larger one of the same drawing is only easier to
 * read.
 */
export const proofSideMax = 1024;

/** The factor by which a scene is scaled for its proof. @param isVector whether the picture has no pixels of its own */
export const proofScale = (scene: Scene, composition: Composition, isVector: boolean): number => {
  const own = modulePixels(scene, composition);
  const smallest = proofModulePixels / own;
  const largest = proofSideMax / Math.max(scene.width, scene.height);
  if (isVector && smallest > 1) return smallest;
  return Math.min(1, Math.max(smallest, largest));
};
