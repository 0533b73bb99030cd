/** How many pixels a picture has, how many a code needs to be read, and how many are enough to prove that it is. */
import { sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import type { Composition } from './composition.ts';
import type { Scene } from './scene.ts';

/** Pixels of each side where neither is asked for. */
export const sizeDefault = 512;

const clampSize = (side: number): number => Math.min(sizeMax, Math.max(sizeMin, Math.round(side)));

/**
 * Of width and height, the one that is missing follows from the other, as far as pictures go (64 to 4096).
 * @param proportion width over height
 */
export const pictureSize = (
  asked: { width?: number | undefined; height?: number | undefined },
  proportion: number,
): { width: number; height: number } => {
  const { width, height } = asked;
  if (width === undefined && height === undefined) return { width: sizeDefault, height: sizeDefault };
  return {
    width: width ?? clampSize(height! * proportion),
    height: height ?? clampSize(width! / proportion),
  };
};

/**
 * Pixels that a module needs so that readers count the modules right. Measured with ZXing over versions, levels,
 * margins and sizes: up to version 4 (33 modules), the ones that a short URL needs, all was read from 1.5 on but 77
 * pixels of version 4; larger symbols failed at one size in fifty up to 2.3 and at none from 2.4 on.
 */
const modulePixelsMin = (matrixSize: number): number => (matrixSize <= 33 ? 1.5 : 2.5);

/** Of the modules of a code in a square: one in a circle leaves room for the modules that make it round. */
const circleShare = 0.7;

/** Pixels along a module. */
export const modulePixels = ({ matrix, look }: Scene, { code }: Composition): number =>
  (code.side / (matrix.size + 2 * look.margin)) * (look.shape === 'circle' ? circleShare : 1);

const format = (width: number, height: number): string =>
  width === height ? `${width}` : `${width} × ${height}`;

export interface Size {
  width: number;
  height: number;
}

/** The size that a picture would need so that a reader counts its modules right; undefined where it has that. */
export const sizeNeeded = (scene: Scene, composition: Composition): Size | undefined => {
  const scale = modulePixelsMin(scene.matrix.size) / modulePixels(scene, composition);
  // A whisper of tolerance: quotients of whole numbers are not exact.
  if (scale <= 1 + 1e-9) return undefined;
  const needed = (side: number): number => Math.ceil(side * scale - 1e-6);
  return { width: needed(scene.width), height: needed(scene.height) };
};

/** @throws {ClientError} UNPROCESSABLE with the size that would do */
export const refuseTooSmall = ({ matrix, look, width, height }: Scene, needed: Size): never => {
  throw new ClientError(
    'UNPROCESSABLE',
    `size ${format(width, height)} is too small to be read: the ${matrix.size + 2 * look.margin} modules of this code, ` +
      `quiet zone included, need ${format(needed.width, needed.height)}`,
  );
};

/** Longest side of a picture that is read as a proof; a larger one of the same drawing is only easier to read. */
export const proofSideMax = 1024;
/** Pixels along a module of a drawing that scales, and of one that is read in a smaller size. */
const proofModulePixels = 4;

/** By how much to scale a scene for its proof. @param scales whether the picture has no pixels of its own */
export const proofScale = (scene: Scene, composition: Composition, scales: boolean): number => {
  const own = modulePixels(scene, composition);
  const smallest = proofModulePixels / own;
  const largest = proofSideMax / Math.max(scene.width, scene.height);
  if (scales && smallest > 1) return smallest;
  return Math.min(1, Math.max(smallest, largest));
};
