/** Colours and gradients of what is drawn round a code, as SVG. */
import type { GradientPaint, Paint } from '../look/look.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const number = (value: number): string => String(Math.round(value * 100) / 100 + 0);

/** Where a line through the middle of a box leaves it. @param rotation in radians; 0 is left to right */
const axisOf = ({ x, y, width, height }: Box, rotation: number) => {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const reach = Math.min(width / 2 / Math.abs(cos), height / 2 / Math.abs(sin));
  const [cx, cy] = [x + width / 2, y + height / 2];
  return { x1: cx - reach * cos, y1: cy - reach * sin, x2: cx + reach * cos, y2: cy + reach * sin };
};

const gradientElement = (gradient: GradientPaint, id: string, box: Box): string => {
  const { type, rotation = 0, colorStops } = gradient;
  const place =
    type === 'linear'
      ? axisOf(box, rotation)
      : {
          cx: box.x + box.width / 2,
          cy: box.y + box.height / 2,
          r: Math.max(box.width, box.height) / 2,
        };
  const attributes = Object.entries(place).map(([name, value]) => ` ${name}="${number(value)}"`);
  const stops = colorStops.map(
    ({ offset, color }) => `<stop offset="${number(offset * 100)}%" stop-color="${color}"/>`,
  );
  const element = `${type}Gradient`;
  return `<${element} id="${id}" gradientUnits="userSpaceOnUse"${attributes.join('')}>${stops.join('')}</${element}>`;
};

/** Paints for one picture. Gradients run over the whole box, so that parts of it fit together. @param prefix of ids */
export const createPaints = (prefix: string, box: Box) => {
  const gradients = new Map<Paint, string>();
  let definitions = '';
  return {
    /** What `fill` and `stroke` take. */
    of(paint: Paint): string {
      if (typeof paint === 'string') return paint;
      const known = gradients.get(paint);
      if (known) return known;
      const id = `${prefix}${gradients.size}`;
      definitions += gradientElement(paint, id, box);
      gradients.set(paint, `url(#${id})`);
      return `url(#${id})`;
    },
    /** The definitions of all gradients so far. */
    definitions: (): string => (definitions === '' ? '' : `<defs>${definitions}</defs>`),
  };
};
