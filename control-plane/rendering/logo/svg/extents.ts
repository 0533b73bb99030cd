/**
 * Measures the extent of an SVG's drawing, visible or not, before anything is drawn: the rasteriser works on a whole
 * outline and a whole pattern tile, however little of them lies in the picture.
 */
import { refuseLogo } from '../refusal.ts';
import { outlineLength, readLength } from './lengths.ts';
import { idsIn } from './rules.ts';
import { scaleOf, transformFactor } from './scale.ts';
import { createStrokeReader, type Stroke } from './strokes.ts';
import type { SvgNode, SvgTree } from './tree.ts';
import { viewportsOf } from './viewports.ts';
import { walkOutlines } from './walk.ts';

/**
 * Maximum length of all outlines together, in sides of the picture: 5,000 circles around the whole picture have 16,000.
 */
const outlineSidesMax = 200_000;

/** Maximum area of all tiles together, once per element that they fill, in areas of the picture. */
const tileAreasMax = 60;

/**
 * An upper bound for path data that contains an error, which is drawn up to the error: no arc is longer than its
 * numbers times 2π.
 */
const brokenPathLength = (data: string): number => {
  let sum = 0;
  for (const [number] of data.matchAll(/[\d.]+(?:e[-+]?\d+)?/gi)) sum += Number.parseFloat(number);
  return 2 * Math.PI * sum;
};

/** The approximate area of a box around an outline: a square has half of it. */
const boxArea = (length: number): number => length ** 2 / 8;

/** @param widest side of a viewport, in user units */
const createMeter = (byId: ReadonlyMap<string, SvgNode>, side: number, widest: number) => {
  const lengths = new Map<SvgNode, number>();
  let outlineSides = 0;
  let tileAreas = 0;

  const measure = (node: SvgNode): number => {
    const length = outlineLength(node, widest);
    return Number.isFinite(length) ? length : brokenPathLength(node.attributes.get('d') ?? '');
  };

  const lengthOf = (node: SvgNode): number => {
    const length = lengths.get(node) ?? measure(node);
    lengths.set(node, length);
    return length;
  };

  const tileArea = ({ attributes }: SvgNode, length: number): number => {
    const factor = transformFactor(attributes.get('patternTransform')) ** 2;
    const isOfBox = attributes.get('patternUnits')?.trim() !== 'userSpaceOnUse';
    const [width, height] = ['width', 'height'].map((name) =>
      Math.abs(readLength(attributes.get(name), isOfBox ? 1 : widest) ?? 0),
    );
    return width! * height! * factor * (isOfBox ? boxArea(length) : 1);
  };

  const check = (): void => {
    if (outlineSides > outlineSidesMax)
      refuseLogo(
        `asks for too much: its outlines are ${Math.ceil(outlineSides)} times as long as the picture is wide, repetitions ` +
          `included, and may be ${outlineSidesMax} times as long; cut off what lies outside of the picture`,
      );
    if (tileAreas > tileAreasMax)
      refuseLogo(
        `asks for too much: the tiles of its patterns are ${Math.ceil(tileAreas)} times as large as the picture, once for each ` +
          `element that they fill, and may be ${tileAreasMax} times as large; give smaller tiles`,
      );
  };

  return {
    /** @throws {ClientError} UNPROCESSABLE naming `image`, if the extents so far are too large */
    add(node: SvgNode, { fill, stroke }: Stroke, scale: number): void {
      const length = lengthOf(node);
      outlineSides += (length * scale) / side;
      for (const id of [...idsIn(fill), ...idsIn(stroke)]) {
        const pattern = byId.get(id);
        if (pattern?.name === 'pattern') tileAreas += tileArea(pattern, length) * (scale / side) ** 2;
      }
      check();
    },
  };
};

/**
 * @param tree of an SVG whose styles are attributes, without circular references
 * @param side the longer side of the picture, in units of the root's content
 * @throws {ClientError} UNPROCESSABLE naming `image`, how much it asks for, and how much it may
 */
export const checkExtents = (tree: SvgTree, side: number): void => {
  const { root, nodes } = tree;
  const viewports = viewportsOf(nodes);
  const byId = new Map<string, SvgNode>();
  for (const node of nodes) if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, node);
  const meter = createMeter(byId, side, viewports.max);
  const scales = new Map<SvgNode, number>();
  walkOutlines(tree, {
    strokeOf: createStrokeReader(viewports).strokeOf,
    scaleOf(node) {
      const scale = scales.get(node) ?? (node === root ? 1 : scaleOf(node, viewports.max));
      scales.set(node, scale);
      return scale;
    },
    onOutline: meter.add,
  });
};
