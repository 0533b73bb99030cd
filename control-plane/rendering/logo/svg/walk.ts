/** Visits every outline that an SVG draws, as often as `use`, patterns and masks repeat it. */
import { refuseLogo } from '../refusal.ts';
import { hasOutline } from './lengths.ts';
import { idsIn } from './rules.ts';
import { initialStroke, type Stroke } from './strokes.ts';
import type { SvgNode, SvgTree } from './tree.ts';

/** Visited elements, repetitions included. */
const visitsMax = 20_000;

/** Elements that are drawn only through a reference. */
const undrawnInPlace: ReadonlySet<string> = new Set([
  'defs',
  'symbol',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
]);

const indexOf = (nodes: readonly SvgNode[]) => {
  const byId = new Map<string, SvgNode>();
  const parents = new Map<SvgNode, SvgNode>();
  for (const node of nodes) {
    if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, node);
    for (const child of node.children) parents.set(child, node);
  }
  return { byId, parents };
};

export interface WalkOptions {
  strokeOf(node: SvgNode, around: Stroke): Stroke;
  /** The factor by which an element scales itself and its content; default: 1. */
  scaleOf?(node: SvgNode): number;
  /** Called for each outline that is drawn. @param scale the product of all factors */
  onOutline(node: SvgNode, stroke: Stroke, scale: number): void;
}

/**
 * @param tree of an SVG without circular references
 * @throws {ClientError} UNPROCESSABLE naming `image`, if the elements repeat too often
 */
export const walkOutlines = (
  { root, nodes }: SvgTree,
  { strokeOf, scaleOf = () => 1, onOutline }: WalkOptions,
): void => {
  const { byId, parents } = indexOf(nodes);
  const patternsAbove = new Set<SvgNode>();
  let visits = 0;

  /** The stroke around an element that inherits from its place in the file, not from the element that refers to it. */
  const strokeAround = (node: SvgNode): Stroke => {
    const parent = parents.get(node);
    return parent ? strokeOf(parent, strokeAround(parent)) : initialStroke;
  };

  const visitPatterns = ({ fill, stroke }: Stroke, scale: number): void => {
    for (const id of [...idsIn(fill), ...idsIn(stroke)]) {
      const pattern = byId.get(id);
      if (pattern?.name !== 'pattern' || patternsAbove.has(pattern)) continue;
      patternsAbove.add(pattern);
      visit(pattern, strokeAround(pattern), scale);
      patternsAbove.delete(pattern);
    }
  };

  const visit = (node: SvgNode, around: Stroke, scaleAround: number): void => {
    if (++visits > visitsMax)
      refuseLogo(`asks for too much: it repeats its elements more than ${visitsMax} times`);
    const stroke = strokeOf(node, around);
    const scale = scaleAround * scaleOf(node);
    if (hasOutline(node)) {
      onOutline(node, stroke, scale);
      visitPatterns(stroke, scale);
    }
    for (const child of node.children) if (!undrawnInPlace.has(child.name)) visit(child, stroke, scale);
    const target = node.target === undefined ? undefined : byId.get(node.target);
    if (target) visit(target, stroke, scale);
    for (const id of idsIn(node.attributes.get('mask'))) {
      const mask = byId.get(id);
      if (mask) visit(mask, strokeAround(mask), scale);
    }
  };

  visit(root, initialStroke, 1);
};
