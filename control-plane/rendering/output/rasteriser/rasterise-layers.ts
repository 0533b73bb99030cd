/**
 * Layers of figures → pixels, in less than a third of librsvg's time. librsvg takes 6.5 ms for a rounded code of 512
 * pixels: 2 ms go into flattening the same few curves hundreds of times, 1.5 ms into fresh memory. It still draws
 * everything else. The tests compare the pictures: they differ by at most the rounding of an edge.
 */

import { rectangle } from '../../vector/figures.ts';
import type { Figure, Layer } from '../../vector/layers.ts';
import type { Pixels } from '../raster.ts';
import { addEdge, type Coverage, createCoverage } from './coverage.ts';
import { flattenCommands, type Polygon } from './flatten.ts';
import { takePixels } from './pixel-memory.ts';
import { type RowFiller, rowFillerOf } from './row-filler.ts';

/** The longest side of a picture, in pixels. A thread's memory grows with its square, and few pictures are larger. */
export const rasteriserSideMax = 1024;

type FilledLayer = Exclude<Layer, { kind: 'image' }>;

/** Whether the layers can be drawn without librsvg. */
export const canRasterise = (layers: readonly Layer[], side: number): layers is readonly FilledLayer[] =>
  side <= rasteriserSideMax && layers.every(({ kind }) => kind !== 'image');

const figuresOf = (layer: FilledLayer): readonly Figure[] => {
  if (layer.kind === 'figures') return layer.figures;
  const { x, y, width, height, radius } = layer;
  return [rectangle(x, y, width, height, radius)];
};

/** Whether a layer covers every pixel: a background without round corners. @param units of the drawing's side */
const fillsAll = (layer: FilledLayer, units: number): boolean =>
  layer.kind === 'rectangle' &&
  layer.radius === 0 &&
  layer.x === 0 &&
  layer.y === 0 &&
  layer.width === units &&
  layer.height === units;

/** The border of the first pixel whose centre is not before the coordinate. */
const snap = (at: number): number => Math.ceil(at - 0.5);

const addPolygon = (
  coverage: Coverage,
  { contours, orientation }: Polygon,
  x: number,
  y: number,
  crisp: boolean,
) => {
  for (const contour of contours) {
    let x0 = x + contour[contour.length - 2]!;
    let y0 = y + contour[contour.length - 1]!;
    for (let at = 0; at < contour.length; at += 2) {
      const x1 = x + contour[at]!;
      const y1 = y + contour[at + 1]!;
      if (crisp) addEdge(coverage, snap(x0), snap(y0), snap(x1), snap(y1), orientation);
      else addEdge(coverage, x0, y0, x1, y1, orientation);
      x0 = x1;
      y0 = y1;
    }
  }
};

const addFigures = (coverage: Coverage, figures: readonly Figure[], scale: number, crisp: boolean): void => {
  const polygons = new Map<string, Polygon>();
  for (const { x, y, commands } of figures) {
    let polygon = polygons.get(commands);
    if (!polygon) {
      polygon = flattenCommands(commands, scale);
      polygons.set(commands, polygon);
    }
    addPolygon(coverage, polygon, x * scale, y * scale, crisp);
  }
};

/** Mixes a channel of two colours, the second by `share` of 255; rounds like a division by 255, in integers. */
const mix = (from: number, to: number, share: number): number => {
  const sum = from * (255 - share) + to * share + 128;
  return (sum + (sum >> 8)) >> 8;
};

const blendOnOpaque = (below: number, color: number, share: number): number =>
  (255 << 24) |
  (mix((below >> 16) & 0xff, (color >> 16) & 0xff, share) << 16) |
  (mix((below >> 8) & 0xff, (color >> 8) & 0xff, share) << 8) |
  mix(below & 0xff, color & 0xff, share);

/** Blends colour on colour, "source over" of Porter and Duff. @param share of 255 */
const blend = (below: number, color: number, share: number): number => {
  const alphaBelow = below >>> 24;
  if (alphaBelow === 255) return blendOnOpaque(below, color, share);
  const alpha = share + mix(0, alphaBelow, 255 - share);
  const weight = Math.round((share * 255) / alpha);
  return (blendOnOpaque(below, color, weight) & 0xffffff) | (alpha << 24);
};

/** The colours of a part of a row, before they are blended into it. */
const colors = new Int32Array(rasteriserSideMax);

/** Fills the covered pixels of a row, in runs of equal coverage. */
const fillRow = (pixels: Int32Array, coverage: Coverage, row: number, fill: RowFiller): void => {
  const { width, steps, stride, from, to } = coverage;
  const at = row * stride;
  const out = row * width;
  const end = Math.min(to[row]!, width);
  let sum = 0;
  for (let x = from[row]!; x < end; ) {
    const start = x;
    sum += steps[at + x]!;
    for (x++; x < end && steps[at + x] === 0; ) x++;
    const share = Math.min(255, (sum * 255 + 0.5) | 0);
    if (share === 0) continue;
    if (share === 255) {
      fill(pixels, out, row, start, x);
      continue;
    }
    fill(colors, 0, row, start, x);
    for (let each = start; each < x; each++)
      pixels[out + each] = blend(pixels[out + each]!, colors[each]!, share);
  }
};

/** Fills the covered pixels, and leaves the coverage empty for the next layer. */
const fillCovered = (pixels: Int32Array, coverage: Coverage, fill: RowFiller): void => {
  const { height, steps, stride, from, to } = coverage;
  for (let row = 0; row < height; row++) {
    fillRow(pixels, coverage, row, fill);
    steps.fill(0, row * stride + from[row]!, row * stride + to[row]!);
    from[row] = stride;
    to[row] = 0;
  }
};

/**
 * The memory of the last picture, for the next one of its size. It is taken out while in use, so an error leaves none
 * half full.
 */
let idle = createCoverage(0, 0);

export interface RasterOptions {
  /** Width and height of the drawing, in drawing units. */
  units: number;
  /** Width and height of the picture in pixels, at most {@link rasteriserSideMax}. */
  side: number;
  /** Whether a pixel is covered entirely or not at all, depending on its centre. */
  crisp: boolean;
}

/** @throws {Error} for layers that {@link canRasterise} refuses */
export const rasteriseLayers = (layers: readonly Layer[], { units, side, crisp }: RasterOptions): Pixels => {
  if (!canRasterise(layers, side)) throw new Error('only librsvg can draw these layers in this size');
  const coverage = idle.width === side ? idle : createCoverage(side, side);
  idle = createCoverage(0, 0);
  const scale = side / units;
  const pixels = takePixels(side * side);
  for (const layer of layers) {
    const fill = rowFillerOf(layer.fill, scale);
    if (fillsAll(layer, units)) {
      for (let row = 0; row < side; row++) fill(pixels, row * side, row, 0, side);
      continue;
    }
    addFigures(coverage, figuresOf(layer), scale, crisp);
    fillCovered(pixels, coverage, fill);
  }
  idle = coverage;
  return { data: Buffer.from(pixels.buffer), width: side, height: side };
};
