/** Figures → polygons in pixels. */

import { eachCommand } from '../../vector/figures.ts';
import type { Figure } from '../../vector/layers.ts';

/** The largest distance of a chord from its arc, in pixels; the eye cannot see a grey of a twentieth. */
const flatness = 0.02;

/** A closed contour: x and y of each corner alternating, in pixels from the figure's first point. */
export type Contour = Float64Array;

export interface Polygon {
  contours: Contour[];
  /** 1 if the outer contour runs clockwise on the screen, else -1. */
  orientation: 1 | -1;
}

/** Twice the area that a contour encloses; positive if it runs clockwise on the screen. */
const doubleArea = (contour: Contour): number => {
  let sum = 0;
  let [x, y] = [contour[contour.length - 2]!, contour[contour.length - 1]!];
  for (let at = 0; at < contour.length; at += 2) {
    sum += x * contour[at + 1]! - contour[at]! * y;
    [x, y] = [contour[at]!, contour[at + 1]!];
  }
  return sum;
};

/**
 * Corners along a circular arc, including its end. Centre and angles as in SVG 2, "Conversion from endpoint to center
 * parameterization", for equal radii.
 */
const arcCorners = (
  corners: number[],
  [x, y]: readonly [number, number],
  [dx, dy]: readonly [number, number],
  { radius, large, sweep }: { radius: number; large: boolean; sweep: boolean },
): void => {
  const chord = Math.hypot(dx, dy);
  // A radius that is too small grows until the arc reaches both ends.
  const r = Math.max(radius, chord / 2);
  const toCentre = Math.sqrt(Math.max(0, r * r - (chord * chord) / 4)) / chord;
  const side = large === sweep ? -1 : 1;
  const [cx, cy] = [x + dx / 2 - side * toCentre * dy, y + dy / 2 + side * toCentre * dx];
  const start = Math.atan2(y - cy, x - cx);
  let angle = Math.atan2(y + dy - cy, x + dx - cx) - start;
  if (sweep && angle < 0) angle += 2 * Math.PI;
  if (!sweep && angle > 0) angle -= 2 * Math.PI;
  const step = 2 * Math.acos(Math.max(0, 1 - flatness / r));
  const count = Math.max(1, Math.ceil(Math.abs(angle) / step));
  for (let index = 1; index < count; index++) {
    const at = start + (angle * index) / count;
    corners.push(cx + r * Math.cos(at), cy + r * Math.sin(at));
  }
  corners.push(x + dx, y + dy);
};

/**
 * @param commands of a figure, relative
 * @param scale pixels per drawing unit
 * @throws {Error} for a command that no drawing has
 */
export const flattenCommands = (commands: Figure['commands'], scale: number): Polygon => {
  const contours: Contour[] = [];
  let start: [number, number] = [0, 0];
  let corners: number[] = [...start];
  const last = (): [number, number] => [corners[corners.length - 2]!, corners[corners.length - 1]!];
  eachCommand(commands, (letter, n) => {
    const [x, y] = last();
    switch (letter) {
      case 'h':
        corners.push(x + n[0]! * scale, y);
        break;
      case 'v':
        corners.push(x, y + n[0]! * scale);
        break;
      case 'a': {
        const chord = [n[5]! * scale, n[6]! * scale] as const;
        if (chord[0] === 0 && chord[1] === 0) break;
        arcCorners(corners, [x, y], chord, { radius: n[0]! * scale, large: n[3] === 1, sweep: n[4] === 1 });
        break;
      }
      case 'z':
        contours.push(Float64Array.from(corners));
        corners = [...start];
        break;
      case 'm':
        start = [start[0] + n[0]! * scale, start[1] + n[1]! * scale];
        corners = [...start];
        break;
      default:
        throw new Error(`cannot fill the path command ${letter}`);
    }
  });
  const outer = contours.reduce((sum, contour) => sum + doubleArea(contour), 0);
  return { contours, orientation: outer < 0 ? -1 : 1 };
};
