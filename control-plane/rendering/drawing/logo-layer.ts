/** The layer of a logo, and the modules that are omitted for it. */
import type { ModuleMatrix } from '../symbol/matrix.ts';
import type { EmbeddedSvg } from '../vector/embedded-svg.ts';
import type { Layer } from '../vector/layers.ts';

/** A picture in the middle, replacing modules that error correction restores. */
export interface LogoImage {
  /** A data URL of a PNG or JPEG; the rasteriser draws no other kind and fetches nothing. */
  href: string;
  /** The same as vectors, if available. */
  svg?: EmbeddedSvg | undefined;
  /** The picture's own size; only the ratio matters. */
  width: number;
  height: number;
  /** 0 to 1: the longer side as a share of the symbol's side without the quiet zone. */
  size: number;
  /** Free space around the picture, in modules. */
  margin: number;
  /** Whether the modules under the picture are omitted; otherwise they are drawn behind it. */
  hideDots: boolean;
}

/** The logo's sides in modules. */
const sidesOf = ({ width, height, size }: LogoImage, modules: number): { across: number; down: number } => {
  const scale = (size * modules) / Math.max(width, height);
  return { across: width * scale, down: height * scale };
};

/** The share of a module that a logo may cover without the module being omitted. */
const overlapMax = 0.25;

/** The matrix without the modules under a logo and its free space. */
export const withHole = (matrix: ModuleMatrix, logo: LogoImage): ModuleMatrix => {
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

/** @param symbol its first drawing unit, and the drawing units per module */
export const logoLayer = (
  logo: LogoImage,
  modules: number,
  { start, unit }: { start: number; unit: number },
): Layer => {
  const { across, down } = sidesOf(logo, modules);
  const [width, height] = [across * unit, down * unit];
  const middle = start + (modules * unit) / 2;
  const { href, svg } = logo;
  return { kind: 'image', href, svg, x: middle - width / 2, y: middle - height / 2, width, height };
};
