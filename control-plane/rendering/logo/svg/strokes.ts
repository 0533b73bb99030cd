/** The paint and stroke that an element of an SVG inherits and passes on. */
import { readLength, readLengths } from './lengths.ts';
import type { SvgNode } from './tree.ts';
import type { Viewports } from './viewports.ts';

export interface DashArray {
  entries: number;
  /** Average distance from one dash to the next, in user units. */
  step: number;
}

export interface Stroke {
  /** Undefined for solid. */
  dashes: DashArray | undefined;
  width: number;
  hasButtEnds: boolean;
  fill: string;
  stroke: string;
}

/** The stroke of the root, before any attribute. */
export const initialStroke: Stroke = {
  dashes: undefined,
  width: 1,
  hasButtEnds: true,
  fill: 'black',
  stroke: 'none',
};

/** An invalid value counts as absent. */
const isDashArray = (text: string): boolean =>
  text.trim() === 'none' || (readLengths(text, 1) ?? [-1]).every((entry) => entry >= 0);

export const createStrokeReader = (viewports: Viewports) => {
  const arrays = new Map<string, DashArray | undefined>();

  /** @returns undefined for a solid line: `none`, and dashes without a length */
  const arrayOf = (text: string): DashArray | undefined => {
    if (arrays.has(text)) return arrays.get(text);
    const entries = readLengths(text, viewports.min) ?? [];
    const sum = entries.reduce((total, entry) => total + entry, 0);
    const array = sum > 0 ? { entries: entries.length, step: (2 * sum) / entries.length } : undefined;
    arrays.set(text, array);
    return array;
  };

  return {
    /** @param around the inherited stroke */
    strokeOf({ attributes }: SvgNode, around: Stroke): Stroke {
      const own = (name: string): string | undefined => {
        const value = attributes.get(name)?.trim();
        return value === 'inherit' ? undefined : value;
      };
      const array = own('stroke-dasharray');
      const cap = own('stroke-linecap');
      return {
        dashes: array !== undefined && isDashArray(array) ? arrayOf(array) : around.dashes,
        width: readLength(own('stroke-width'), viewports.max) ?? around.width,
        hasButtEnds: cap === undefined ? around.hasButtEnds : cap === 'butt',
        fill: own('fill') ?? around.fill,
        stroke: own('stroke') ?? around.stroke,
      };
    },
  };
};
