/** The factor by which an element of an SVG scales its content. */
import { readLength, readLengths } from './lengths.ts';
import type { SvgNode } from './tree.ts';

const call = /([a-z]+)\s*\(([^)]*)\)/gi;

const tangent = (degrees: number): number => Math.abs(Math.tan((degrees * Math.PI) / 180));

/** The largest factor of a transform function, in any direction. */
const factorOf = (name: string, [a = 0, b = 0, c = 0, d = 0]: readonly number[]): number => {
  switch (name.toLowerCase()) {
    case 'matrix':
      return (Math.hypot(a + d, b - c) + Math.hypot(a - d, b + c)) / 2;
    case 'skewx':
    case 'skewy':
      return 1 + tangent(a);
    default:
      return 1;
  }
};

/** The largest factor of a list of transforms, in any direction. */
export const transformFactor = (list: string | undefined): number => {
  let factor = 1;
  for (const [, name, values] of (list ?? '').matchAll(call)) {
    const numbers = readLengths(values!, 0) ?? [];
    if (name!.toLowerCase() === 'scale') factor *= Math.max(...numbers.map(Math.abs), 0);
    else factor *= factorOf(name!, numbers);
  }
  return factor;
};

/**
 * The factor of a `viewBox` within the picture.
 * @param whole the greatest length of 100%, in user units
 */
const viewBoxFactor = ({ attributes }: SvgNode, whole: number): number => {
  const [, , width, height] = readLengths(attributes.get('viewBox') ?? '', 0) ?? [];
  if (!width || !height || width <= 0 || height <= 0) return 1;
  const across = (readLength(attributes.get('width'), whole) ?? whole) / width;
  const down = (readLength(attributes.get('height'), whole) ?? whole) / height;
  return Math.max(across, down);
};

/** @param whole the greatest length of 100%, in user units */
export const scaleOf = (node: SvgNode, whole: number): number =>
  transformFactor(node.attributes.get('transform')) * viewBoxFactor(node, whole);
