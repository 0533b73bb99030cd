/** The width of the quiet zone, including the corners of a rounded tile. */
import type { Look } from './look.ts';

/** The width that ISO/IEC 18004 requires, in modules. */
export const quietZoneModules = 4;

/**
 * The distance from a symbol's corner to the arc of the tile's corner, in modules.
 * @param margin along the sides
 */
const clearance = (modules: number, margin: number, round: number): number => {
  const radius = (round * (modules + 2 * margin)) / 2;
  // If the arc ends within the margin, only the sides count.
  return radius <= margin ? margin : radius - Math.SQRT2 * (radius - margin);
};

/**
 * The margin that a code is drawn with, in modules: the requested one, or more if round corners would come closer to
 * the symbol. A code that is drawn as a circle has no corners, nor has a ground that continues in the frame.
 * @param modules along the symbol's side
 */
export const marginOf = (
  { shape, margin, background }: Look,
  modules: number,
  continuesInFrame: boolean,
): number => {
  if (shape === 'circle' || continuesInFrame) return margin;
  let widened = margin;
  while (clearance(modules, widened, background.round) < margin - 1e-9) widened++;
  return widened;
};
