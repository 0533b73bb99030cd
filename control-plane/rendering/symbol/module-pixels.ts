/** Pixels along a module: the least for a reader, the least for crisp edges, and enough for a proof. */

/**
 * The least for a reader to count the modules right. Measured with ZXing over versions, levels, margins and sizes: up to version 4
 * (33 modules), which short URLs need, everything was read from 1.5 on except version 4 in 77 pixels; larger symbols failed in
 * one size of fifty up to 2.3, and in none from 2.4 on.
 * @param size modules along the symbol's side
 */
export const readableModulePixelsMin = (size: number): number => (size <= 33 ? 1.5 : 2.5);

/**
 * The least for edges on whole pixels. Below, modules would differ in width by half, and readers lose count: of symbols of
 * version 2 at level L in 64 pixels 93 in 100 were not read; with smoothed edges all were.
 */
export const crispModulePixelsMin = 3;

/** Enough for a proof of a drawing that scales, or of one that is read in a smaller size. */
export const proofModulePixels = 4;

/** The sizes in which weak colours must be read: from far away, as usual, from near by. */
export const weakModulePixels = [3, 5, 8] as const;
