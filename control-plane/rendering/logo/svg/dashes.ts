/**
 * Counts the dashes into which an SVG's strokes are cut, before anything is drawn: a small number in `stroke-dasharray`
 * cuts a short outline into more dashes than any file could hold.
 */
import { refuseLogo, refuseSvg } from '../refusal.ts';
import { outlineLength } from './lengths.ts';
import { createStrokeReader, type Stroke } from './strokes.ts';
import type { SvgNode, SvgTree } from './tree.ts';
import { viewportsOf } from './viewports.ts';
import { walkOutlines } from './walk.ts';

/**
 * 250,000 thin dashes took 0.1 to 0.7 s, 30,000 round ones that each overlap 53 others 0.6 s, and 100,000 that overlap
 * 177 others 2.5 s.
 */
const dashesMax = 250_000;

/** The cost of each overlap of a dash with another, in dashes: with butt ends, and with round or square ones. */
const overlapCost = { butt: 1 / 16, other: 1 / 4 };

/** The cost of an entry of `stroke-dasharray` for each stroke, in dashes. */
const entryCost = 1 / 10;

/**
 * Entries of one list. Each element that inherits the list gets a copy: 3,000 elements with 40,000 entries took over 9
 * s.
 */
const entriesMax = 1_000;

/** @param widest side of a viewport, in user units */
const createCounter = (widest: number) => {
  const lengths = new Map<SvgNode, number>();
  let dashes = 0;

  const lengthOf = (node: SvgNode): number => {
    const length = lengths.get(node) ?? outlineLength(node, widest);
    lengths.set(node, length);
    return length;
  };

  return {
    /** @throws {ClientError} UNPROCESSABLE naming `image`, if there are too many dashes so far */
    add(node: SvgNode, { dashes: array, width, hasButtEnds, stroke }: Stroke): void {
      if (!array || stroke === 'none') return;
      const length = lengthOf(node);
      if (length === 0) return;
      // Its dashes keep their written length in the picture, however large the outline is drawn.
      if (node.attributes.get('vector-effect')?.trim() === 'non-scaling-stroke')
        refuseSvg('stroke-dasharray with vector-effect non-scaling-stroke: let its strokes scale');
      if (length === Number.POSITIVE_INFINITY) refuseLogo('cannot be read: the path data of a dashed stroke');
      const overlaps = (width / array.step) * (hasButtEnds ? overlapCost.butt : overlapCost.other);
      dashes += (length / array.step) * (1 + overlaps) + array.entries * entryCost;
      if (dashes <= dashesMax) return;
      refuseLogo(
        'asks for too much: its stroke-dasharray cuts strokes into as much as ' +
          `${Math.ceil(dashes)} thin dashes, repetitions included, and may cut them into ${dashesMax}; ` +
          'give longer dashes, narrower strokes or outlines of the dashes',
      );
    },
  };
};

const checkList = ({ attributes }: SvgNode): void => {
  const entries = attributes.get('stroke-dasharray')?.match(/[^\s,]+/g)?.length ?? 0;
  if (entries > entriesMax)
    refuseLogo(
      `asks for too much: its stroke-dasharray lists ${entries} lengths, and may list ${entriesMax}`,
    );
};

/**
 * @param tree of an SVG whose styles are attributes, without circular references
 * @throws {ClientError} UNPROCESSABLE naming `image` and `stroke-dasharray`, how much it asks for, and how much it may
 */
export const checkDashes = (tree: SvgTree): void => {
  tree.nodes.forEach(checkList);
  if (!tree.nodes.some(({ attributes }) => attributes.has('stroke-dasharray'))) return;
  const viewports = viewportsOf(tree.nodes);
  const { strokeOf } = createStrokeReader(viewports);
  const counter = createCounter(viewports.max);
  walkOutlines(tree, { strokeOf, onOutline: counter.add });
};
