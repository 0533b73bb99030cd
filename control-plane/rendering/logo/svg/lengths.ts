/** Lengths in an SVG: of its attributes and of the outlines that it draws, in user units. */
import { type SVGCommand, SVGPathData } from 'svg-pathdata';
import type { SvgNode } from './tree.ts';

/** Pixels per absolute unit (CSS Values 4, "Absolute Lengths"). */
export const absoluteUnits: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** Logos have no fonts, so librsvg uses its default of 12 pixels. */
const fontUnits: Readonly<Record<string, number>> = { em: 12, ex: 6, ch: 6, rem: 12 };

const units: ReadonlyMap<string, number> = new Map(
  Object.entries({ ...absoluteUnits, q: 96 / 101.6, ...fontUnits }),
);

const numberAndUnit = /([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)/gi;

/**
 * The lengths of a list separated by spaces, commas and comments.
 * @param whole the length of 100% @returns undefined if the list has anything else
 */
export const readLengths = (list: string, whole: number): number[] | undefined => {
  const lengths: number[] = [];
  const bare = list.replace(/\/\*.*?\*\//gs, ' ');
  const rest = bare.replace(numberAndUnit, (_, value: string, unit: string) => {
    lengths.push(
      Number(value) * (unit === '%' ? whole / 100 : (units.get(unit.toLowerCase()) ?? Number.NaN)),
    );
    return '';
  });
  return /[^\s,]/.test(rest) || lengths.some(Number.isNaN) ? undefined : lengths;
};

/** @param whole the length of 100% @returns undefined if the text is not a length */
export const readLength = (text: string | undefined, whole: number): number | undefined =>
  text === undefined ? undefined : readLengths(text, whole)?.[0];

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** @param points x and y alternating */
const polylineLength = (points: readonly number[]): number => {
  let length = 0;
  for (let at = 2; at + 1 < points.length; at += 2)
    length += Math.hypot(points[at]! - points[at - 2]!, points[at + 1]! - points[at - 1]!);
  return length;
};

/** The control points of a command: a curve is no longer than the line through them. Moves of the pen count as well. */
const controlPoints = (command: SVGCommand): number[] => {
  switch (command.type) {
    case SVGPathData.CURVE_TO:
      return [command.x1, command.y1, command.x2, command.y2, command.x, command.y];
    case SVGPathData.QUAD_TO:
      return [command.x1, command.y1, command.x, command.y];
    case SVGPathData.MOVE_TO:
    case SVGPathData.LINE_TO:
      return [command.x, command.y];
    default:
      return [];
  }
};

/** Infinite for unreadable data: a more tolerant reader may draw it. */
const pathLength = (data: string): number => {
  try {
    const path = new SVGPathData(data).toAbs().normalizeHVZ().normalizeST().aToC();
    return polylineLength(path.commands.flatMap(controlPoints));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

const polygonLength = (points: string): number => {
  const numbers = readLengths(points, 0) ?? [];
  return polylineLength([...numbers, ...numbers.slice(0, 2)]);
};

const outlined: ReadonlySet<string> = new Set([
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
]);

/** Whether an element itself is filled and stroked. */
export const hasOutline = ({ name }: SvgNode): boolean => outlined.has(name);

/**
 * An upper bound of the length of an element's outline, in its own user units: 0 without an outline, Infinity if the
 * path data cannot be read.
 * @param whole the greatest length of 100%
 */
export const outlineLength = ({ name, attributes }: SvgNode, whole: number): number => {
  const at = (attribute: string): number => Math.abs(readLength(attributes.get(attribute), whole) ?? 0);
  const span = (from: string, to: string): number =>
    (readLength(attributes.get(to), whole) ?? 0) - (readLength(attributes.get(from), whole) ?? 0);
  switch (name) {
    case 'circle':
      return 2 * Math.PI * at('r');
    case 'ellipse':
      return 2 * Math.PI * Math.max(at('rx'), at('ry'));
    case 'rect':
      return sumOf([at('width'), at('height')]) * 2;
    case 'line':
      return Math.hypot(span('x1', 'x2'), span('y1', 'y2'));
    case 'polyline':
    case 'polygon':
      return polygonLength(attributes.get('points') ?? '');
    case 'path':
      return pathLength(attributes.get('d') ?? '');
    default:
      return 0;
  }
};
