/** The quiet zone of a tile with round corners: as wide at the corners of the symbol as along its sides. */
import type { Look } from './look.ts';

/**
 * What is left between a symbol's corner and the arc of the tile's corner, in modules.
 * @param margin along the sides
 */
const clearance = (modules: number, margin: number, round: number): number => {
  const radius = (round * (modules + 2 * margin)) / 2;
  // Where the symbol's corner lies outside of the arc's square, the sides alone count.
  return radius <= margin ? margin : radius - Math.SQRT2 * (radius - margin);
};

/**
 * The margin that a code is drawn with, in modules: what was asked for, or more where round corners would come nearer.
 * A code that is drawn as a circle has no corners.
 * @param modules along the symbol's side
 */
export const marginOf = ({ shape, margin, background }: Look, modules: number): number => {
  if (shape === 'circle') return margin;
  let widened = margin;
  while (clearance(modules, widened, background.round) < margin - 1e-9) widened++;
  return widened;
};
