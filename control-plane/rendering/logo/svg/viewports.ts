/** The possible lengths of 100% in an SVG. */
import { readLength, readLengths } from './lengths.ts';
import type { SvgNode } from './tree.ts';

/** The shortest and the longest side of anything that may be a viewport, in user units. */
export interface Viewports {
  min: number;
  max: number;
}

const viewportElements: ReadonlySet<string> = new Set(['svg', 'use', 'symbol']);

/** For a file without a size. */
const unknown: Viewports = { min: 100, max: 100 };

export const viewportsOf = (nodes: readonly SvgNode[]): Viewports => {
  const sides: number[] = [];
  let [shrunk, grown] = [1, 1];
  for (const { name, attributes } of nodes) {
    sides.push(...(readLengths(attributes.get('viewBox') ?? '', 0)?.slice(2, 4) ?? []));
    if (!viewportElements.has(name)) continue;
    for (const side of ['width', 'height']) {
      const text = attributes.get(side) ?? '';
      const length = readLength(text, 1);
      if (length === undefined) continue;
      if (!text.includes('%')) sides.push(length);
      else if (length > 1) grown *= length;
      else if (length > 0) shrunk *= length;
    }
  }
  const positive = sides.filter((side) => side > 0);
  if (positive.length === 0) return unknown;
  return {
    min: positive.reduce((least, side) => Math.min(least, side)) * shrunk,
    max: positive.reduce((most, side) => Math.max(most, side)) * grown,
  };
};
