/** The paints of a frame as fills of SVG. */
import type { Paint } from '../look/look.ts';
import { createDefinitions, type Fill } from '../vector/gradients.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The points where a line through the middle of a box leaves it. @param rotation in radians; 0 is left to right */
const axisOf = ({ x, y, width, height }: Box, rotation: number) => {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const reach = Math.min(width / 2 / Math.abs(cos), height / 2 / Math.abs(sin));
  const [cx, cy] = [x + width / 2, y + height / 2];
  return { x1: cx - reach * cos, y1: cy - reach * sin, x2: cx + reach * cos, y2: cy + reach * sin };
};

const fillOf = (paint: Paint, box: Box): Fill => {
  if (typeof paint === 'string') return paint;
  const { type, rotation = 0, colorStops: stops } = paint;
  if (type === 'linear') return { type, ...axisOf(box, rotation), stops };
  const { x, y, width, height } = box;
  return { type, cx: x + width / 2, cy: y + height / 2, r: Math.max(width, height) / 2, stops };
};

/** The fills of one picture. Gradients span the whole box, so that its parts match. @param idPrefix of gradients */
export const createPaintFills = (idPrefix: string, box: Box) => {
  const fills = new Map<Paint, Fill>();
  const definitions = createDefinitions({ idPrefix, decimals: 2 });
  return {
    /** The value of `fill` and `stroke`. */
    valueOf(paint: Paint): string {
      const fill = fills.get(paint) ?? fillOf(paint, box);
      fills.set(paint, fill);
      return definitions.valueOf(fill);
    },
    /** The `defs` element of all gradients so far. */
    definitions: definitions.element,
  };
};
