/** Where a logo lies on its code, and which modules make room for it. */

import type { ModuleMatrix } from '../symbol/matrix.ts';
import type { Layer } from '../vector/layers.ts';

/** A picture in the middle, instead of modules that the symbol's error correction gives back. */
export interface Logo {
  /** A data URL of a PNG or JPEG; the rasteriser draws no other kind and fetches nothing. */
  href: string;
  /** The same as vectors, where it is a drawing. */
  drawing?: readonly string[] | undefined;
  /** The picture's own size, of which only the ratio matters. */
  width: number;
  height: number;
  /** 0 to 1: its longer side, of the symbol's side without the quiet zone. */
  size: number;
  /** Free space round the picture, in modules. */
  margin: number;
  /** Whether the modules under the picture are left out, rather than drawn behind it. */
  hideDots: boolean;
}

/** The logo's sides in modules. */
const sidesOf = ({ width, height, size }: Logo, modules: number): { across: number; down: number } => {
  const scale = (size * modules) / Math.max(width, height);
  return { across: width * scale, down: height * scale };
};

/** How much of a module a logo may cover and leave it standing. */
const overlapMax = 0.25;

/** The matrix without the modules under a logo, and under the free space round it. */
export const withHole = (matrix: ModuleMatrix, logo: Logo): ModuleMatrix => {
  const { across, down } = sidesOf(logo, matrix.size);
  const middle = matrix.size / 2;
  const reach = (side: number): number => side / 2 + logo.margin - overlapMax;
  const [columns, rows] = [reach(across), reach(down)];
  /** Whether a module reaches further towards the middle than the hole's edge. */
  const isInside = (index: number, edge: number): boolean =>
    Math.abs(index + 0.5 - middle) - 0.5 < edge - 1e-9;
  return {
    ...matrix,
    isDark: (row, column) =>
      matrix.isDark(row, column) && !(isInside(row, rows) && isInside(column, columns)),
  };
};

/** @param place of the symbol: its first drawing unit, and drawing units along a module */
export const logoLayer = (
  logo: Logo,
  modules: number,
  { start, unit }: { start: number; unit: number },
): Layer => {
  const { across, down } = sidesOf(logo, modules);
  const [width, height] = [across * unit, down * unit];
  const middle = start + (modules * unit) / 2;
  const { href, drawing } = logo;
  return { kind: 'image', href, drawing, x: middle - width / 2, y: middle - height / 2, width, height };
};
