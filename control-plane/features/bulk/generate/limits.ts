/** Bounds of the pictures of one call. */

import { sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { sizeDefault } from '../../../rendering/index.ts';
import type { PictureSize } from './sizes.ts';

/** Pixels of all pictures together: a thousand of 1024 × 1024, or 64 of 4096 × 4096. A thread draws them in half a minute. */
export const pixelsMax = 2 ** 30;
/** Pixels of the pictures of one slice: a quarter of a second of a thread. What takes longer has a bound of time (pictures.ts). */
const slicePixels = 16 * 2 ** 20;
/** What any picture takes, in pixels that could be drawn meanwhile (rendering/cost.ts). */
const pictureCostPixels = 150_000;

const sideOf = (given: unknown): number | undefined =>
  typeof given === 'number' && given >= sizeMin && given <= sizeMax ? given : undefined;

/** An SVG and a PDF have none; a wrong size, which is the row's failure, counts as the default. */
const pixelsOf = ({ format, width, height }: PictureSize): number => {
  if (format === 'svg' || format === 'pdf') return 0;
  const [across, down] = [sideOf(width), sideOf(height)];
  return (across ?? down ?? sizeDefault) * (down ?? across ?? sizeDefault);
};

/** The pixels of all pictures together. */
export const sumPixels = (pictures: readonly PictureSize[]): number =>
  pictures.reduce((sum, picture) => sum + pixelsOf(picture), 0);

/** @throws {ClientError} INVALID_REQUEST where the pixels of all pictures together are too many */
export const requirePixels = (pixels: number): void => {
  if (pixels <= pixelsMax) return;
  throw new ClientError(
    'INVALID_REQUEST',
    `The pictures of all rows must have at most ${pixelsMax} pixels together (a thousand of 1024 by 1024); given: ${pixels}. ` +
      'Send fewer rows, smaller pictures, or ask for svg',
  );
};

/** Rows of a slice, so that it takes about as long whatever the size of the pictures. */
export const rowsOfSlice = (pixels: number, rows: number): number =>
  Math.max(1, Math.floor(slicePixels / (pictureCostPixels + pixels / rows)));
