/** Pixels per module: the minimum for a reader, the minimum for crisp edges, and enough for a proof. */

import type { dotTypes } from '#schemas/api/style.ts';

/**
 * The minimum for a reader to count the modules correctly. Measured with ZXing over versions, levels, margins and
 * sizes: up to version 4 (33 modules), which is enough for short URLs, everything was read from 1.5 up except version 4
 * at 77 pixels; larger symbols failed at one size in fifty up to 2.3, and at none from 2.4 up.
 * @param size modules along the symbol's side
 */
export const readableModulePixelsMin = (size: number): number => (size <= 33 ? 1.5 : 2.5);

/**
 * The minimum in a circle, whose further modules hide where the symbol ends. Measured with ZXing on 27 styles that were
 * blurred by a sigma of 1: at 2.2 pixels 14 were not read, at 2.5 only those whose eyes were too close; these are drawn
 * otherwise since.
 */
export const circleModulePixelsMin = 2.5;

/**
 * The minimum in a circle with a logo, for the types of modules whose corners are round: the logo takes the error
 * correction that they need if they are blurred. Measured with ZXing on 30 pictures of each type, of five payloads, that
 * were turned, blurred and compressed: at 2.5 pixels 4, 12 and 25 of them were not read, and at these sizes all were. Of
 * types without round corners all were read at 2.5.
 */
export const circleWithLogoModulePixelsMin: Partial<Record<(typeof dotTypes)[number], number>> = {
  rounded: 2.7,
  'extra-rounded': 2.8,
  'classy-rounded': 3,
};

/**
 * The minimum for edges on whole pixels. Below, modules would differ in width by half, and readers lose count: of
 * symbols of version 2 at level L in 64 pixels 93 in 100 were not read; with smoothed edges all were.
 */
export const crispModulePixelsMin = 3;

/** Enough for a proof of a drawing that scales, or of a picture that is read at a smaller size. */
export const proofModulePixels = 4;

/** The sizes at which weak colours must be read: from far away, at the usual distance, close up. */
export const weakModulePixels = [3, 5, 8] as const;
