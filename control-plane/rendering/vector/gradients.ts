/** The fills of an SVG's elements: a plain colour, or a reference to a gradient's definition. */
import { formatNumber } from './numbers.ts';

/** A colour and its offset along the gradient, 0 to 1. */
export interface Stop {
  offset: number;
  color: string;
}

/** From one point to another, or outwards from a centre; beyond its ends the end colours continue. */
export type DrawnGradient =
  | { type: 'linear'; x1: number; y1: number; x2: number; y2: number; stops: readonly Stop[] }
  | { type: 'radial'; cx: number; cy: number; r: number; stops: readonly Stop[] };

/** `#rrggbb`, or a gradient, which layers may share. */
export type Fill = string | DrawnGradient;

export interface DefinitionOptions {
  /** The prefix of ids, which distinguishes them from other drawings' ids. */
  idPrefix: string;
  /** The decimals of coordinates and offsets. */
  decimals: Parameters<typeof formatNumber>[1];
}

const gradientElement = (gradient: DrawnGradient, id: string, decimals: DefinitionOptions['decimals']) => {
  const { type, stops, ...geometry } = gradient;
  const coordinates = Object.entries(geometry).map(
    ([name, value]) => ` ${name}="${formatNumber(value, decimals)}"`,
  );
  const stopElements = stops.map(
    ({ offset, color }) => `<stop offset="${formatNumber(offset * 100, decimals)}%" stop-color="${color}"/>`,
  );
  return (
    `<${type}Gradient id="${id}" gradientUnits="userSpaceOnUse"${coordinates.join('')}>` +
    `${stopElements.join('')}</${type}Gradient>`
  );
};

/** Collects the gradients of one drawing. Ids depend only on the order of the fills and on the prefix. */
export const createDefinitions = ({ idPrefix, decimals }: DefinitionOptions) => {
  const references = new Map<DrawnGradient, string>();
  let gradients = '';
  return {
    /** The value of `fill` and `stroke`. */
    valueOf(fill: Fill): string {
      if (typeof fill === 'string') return fill;
      const known = references.get(fill);
      if (known !== undefined) return known;
      const id = `${idPrefix}${references.size}`;
      gradients += gradientElement(fill, id, decimals);
      references.set(fill, `url(#${id})`);
      return `url(#${id})`;
    },
    /** The `defs` element of all gradients so far; empty if there are no gradients. */
    element: (): string => (gradients === '' ? '' : `<defs>${gradients}</defs>`),
  };
};
