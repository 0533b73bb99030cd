/**
 * Into how many dashes an SVG's strokes are cut, before anything is drawn: a small number in `stroke-dasharray` makes more of a
 * short outline than any file could hold.
 */
import { refuseLogo, refuseSvg } from './refusal.ts';
import { hasOutline, outlineLength, readLength, readLengths } from './svg-lengths.ts';
import { idsIn } from './svg-rules.ts';
import type { SvgNode, SvgTree } from './svg-tree.ts';

/**
 * 250,000 thin dashes took 0.1 to 0.7 s, 30,000 round ones that each reach over 53 others 0.6 s, and 100,000 that reach over 177
 * others 2.5 s.
 */
const dashesMax = 250_000;

/** What a dash costs for each other that it reaches over, in dashes: with the ends cut off, and with round or square ones. */
const overlapCost = { butt: 1 / 16, other: 1 / 4 };

/** What an entry of `stroke-dasharray` costs each stroke, in dashes. */
const entryCost = 1 / 10;

/** Elements that are looked at, repetitions included. */
const visitsMax = 20_000;

/** Of one list. Each element that inherits it has it anew: 3,000 of them with 40,000 took more than 9 s. */
const entriesMax = 1_000;

interface DashArray {
  entries: number;
  /** From one dash to the next on average, in user units. */
  step: number;
}

/** What an element hands down to those in it. */
interface Stroke {
  /** Undefined is solid. */
  dashes: DashArray | undefined;
  width: number;
  hasButtEnds: boolean;
  fill: string;
  stroke: string;
}

const initial: Stroke = { dashes: undefined, width: 1, hasButtEnds: true, fill: 'black', stroke: 'none' };

/** What is drawn only where it is named. */
const undrawnInPlace: ReadonlySet<string> = new Set([
  'defs',
  'symbol',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
]);

/** What 100% is, at least and at most: the narrowest and the widest of what may be a viewport. */
const viewportsOf = (nodes: readonly SvgNode[]): { min: number; max: number } => {
  const sizes: number[] = [];
  let [shrunk, grown] = [1, 1];
  for (const { name, attributes } of nodes) {
    sizes.push(...(readLengths(attributes.get('viewBox') ?? '', 0)?.slice(2, 4) ?? []));
    if (name !== 'svg' && name !== 'use' && name !== 'symbol') continue;
    for (const side of ['width', 'height']) {
      const text = attributes.get(side) ?? '';
      const size = readLength(text, 1);
      if (size === undefined) continue;
      if (!text.includes('%')) sizes.push(size);
      else if (size > 1) grown *= size;
      else if (size > 0) shrunk *= size;
    }
  }
  const seen = sizes.filter((size) => size > 0);
  if (seen.length === 0) return { min: 100, max: 100 };
  return {
    min: seen.reduce((least, size) => Math.min(least, size)) * shrunk,
    max: seen.reduce((most, size) => Math.max(most, size)) * grown,
  };
};

const createCounter = ({ root, nodes }: SvgTree) => {
  const viewport = viewportsOf(nodes);
  const byId = new Map<string, SvgNode>();
  const parents = new Map<SvgNode, SvgNode>();
  for (const node of nodes) {
    if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, node);
    for (const child of node.children) parents.set(child, node);
  }
  const arrays = new Map<string, DashArray | undefined>();
  const lengths = new Map<SvgNode, number>();
  const patternsAbove = new Set<SvgNode>();
  let visits = 0;
  let dashes = 0;

  /** @returns undefined for what is solid: `none`, and dashes that have no length */
  const arrayOf = (text: string): DashArray | undefined => {
    if (arrays.has(text)) return arrays.get(text);
    const entries = readLengths(text, viewport.min) ?? [];
    const sum = entries.reduce((total, entry) => total + entry, 0);
    const array = sum > 0 ? { entries: entries.length, step: (2 * sum) / entries.length } : undefined;
    arrays.set(text, array);
    return array;
  };

  /** What is not valid is as if it were not said. */
  const isDashArray = (text: string): boolean =>
    text.trim() === 'none' || (readLengths(text, 1) ?? [-1]).every((entry) => entry >= 0);

  const handedDown = ({ attributes }: SvgNode, stroke: Stroke): Stroke => {
    const said = (name: string): string | undefined => {
      const value = attributes.get(name)?.trim();
      return value === 'inherit' ? undefined : value;
    };
    const array = said('stroke-dasharray');
    const cap = said('stroke-linecap');
    return {
      dashes: array !== undefined && isDashArray(array) ? arrayOf(array) : stroke.dashes,
      width: readLength(said('stroke-width'), viewport.max) ?? stroke.width,
      hasButtEnds: cap === undefined ? stroke.hasButtEnds : cap === 'butt',
      fill: said('fill') ?? stroke.fill,
      stroke: said('stroke') ?? stroke.stroke,
    };
  };

  const lengthOf = (node: SvgNode): number => {
    const length = lengths.get(node) ?? outlineLength(node, viewport.max);
    lengths.set(node, length);
    return length;
  };

  const addStroke = (node: SvgNode, { dashes: array, width, hasButtEnds, stroke }: Stroke): void => {
    if (!array || stroke === 'none' || !hasOutline(node)) return;
    const length = lengthOf(node);
    if (length === 0) return;
    // Its dashes are as long on the picture as they are written, however large the outline is drawn.
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
  };

  /** For what does not inherit from who names it. */
  const strokeAround = (node: SvgNode): Stroke => {
    const parent = parents.get(node);
    return parent ? handedDown(parent, strokeAround(parent)) : initial;
  };

  const addPatterns = ({ fill, stroke }: Stroke): void => {
    for (const id of [...idsIn(fill), ...idsIn(stroke)]) {
      const pattern = byId.get(id);
      if (pattern?.name !== 'pattern' || patternsAbove.has(pattern)) continue;
      patternsAbove.add(pattern);
      visit(pattern, strokeAround(pattern));
      patternsAbove.delete(pattern);
    }
  };

  const visit = (node: SvgNode, around: Stroke): void => {
    if (++visits > visitsMax)
      refuseLogo(`asks for too much: it repeats its elements more than ${visitsMax} times`);
    const stroke = handedDown(node, around);
    addStroke(node, stroke);
    if (hasOutline(node)) addPatterns(stroke);
    for (const child of node.children) if (!undrawnInPlace.has(child.name)) visit(child, stroke);
    const target = node.target === undefined ? undefined : byId.get(node.target);
    if (target) visit(target, stroke);
    for (const id of idsIn(node.attributes.get('mask'))) {
      const mask = byId.get(id);
      if (mask) visit(mask, strokeAround(mask));
    }
  };

  return { count: () => visit(root, initial) };
};

const checkList = ({ attributes }: SvgNode): void => {
  const entries = attributes.get('stroke-dasharray')?.match(/[^\s,]+/g)?.length ?? 0;
  if (entries > entriesMax)
    refuseLogo(
      `asks for too much: its stroke-dasharray lists ${entries} lengths, and may list ${entriesMax}`,
    );
};

/**
 * @param tree of an SVG whose styles are attributes, and which refers to itself nowhere
 * @throws {ClientError} UNPROCESSABLE naming `image` and `stroke-dasharray`, how much it asks for, and how much it may
 */
export const checkDashes = (tree: SvgTree): void => {
  tree.nodes.forEach(checkList);
  if (tree.nodes.some(({ attributes }) => attributes.has('stroke-dasharray'))) createCounter(tree).count();
};
