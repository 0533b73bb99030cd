/** Limits for the pictures of one call. */

import { sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { sizeDefault } from '../../../rendering/index.ts';
import type { PictureSize } from './sizes.ts';

/** Pixels of all pictures together: a thousand of 1024 × 1024, or 64 of 4096 × 4096; half a minute of a thread. */
export const pixelsMax = 2 ** 30;
/** Pixels of the pictures of a slice: a quarter of a second of a thread. Slow ones have a time limit (pictures.ts). */
const slicePixels = 16 * 2 ** 20;
/** The fixed cost of a picture, in pixels that could be drawn in the same time (rendering/renderer.ts). */
const pictureCostPixels = 150_000;

const sideOf = (given: unknown): number | undefined =>
  typeof given === 'number' && given >= sizeMin && given <= sizeMax ? given : undefined;

/** SVG and PDF count none; an invalid size, which fails the row, counts as the default. */
const pixelsOf = ({ format, width, height }: PictureSize): number => {
  if (format === 'svg' || format === 'pdf') return 0;
  const [across, down] = [sideOf(width), sideOf(height)];
  return (across ?? down ?? sizeDefault) * (down ?? across ?? sizeDefault);
};

/** The pixels of all pictures together. */
export const sumPixels = (pictures: readonly PictureSize[]): number =>
  pictures.reduce((sum, picture) => sum + pixelsOf(picture), 0);

/** @throws {ClientError} INVALID_REQUEST if all pictures together have too many pixels */
export const requirePixels = (pixels: number): void => {
  if (pixels <= pixelsMax) return;
  throw new ClientError(
    'INVALID_REQUEST',
    `The pictures of all rows must have at most ${pixelsMax} pixels together (a thousand of 1024 by 1024); given: ${pixels}. ` +
      'Send fewer rows, smaller pictures, or ask for svg',
  );
};

/** Rows per slice, so that every slice takes about as long whatever the picture size. */
export const rowsOfSlice = (pixels: number, rows: number): number =>
  Math.max(1, Math.floor(slicePixels / (pictureCostPixels + pixels / rows)));
