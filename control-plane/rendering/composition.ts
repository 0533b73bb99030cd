/**
 * The third stage: a drawn code, its frame and its size → one SVG document of exactly that width and height. What is not as
 * wide as it is high lies in the middle.
 */

import type { Caption } from './captions/index.ts';
import { type Drawing, edgesOf, toSvg } from './drawing.ts';
import { drawFrame } from './frames/index.ts';
import { codeSide } from './frames/shapes.ts';
import { toContent } from './layers.ts';
import { createPaints } from './paint.ts';
import type { ResolvedStyle } from './style.ts';

export interface Composition {
  svg(): string;
  width: number;
  height: number;
  /** Where the code lies, its quiet zone included, in pixels. */
  code: { x: number; y: number; side: number };
}

const number = (value: number): string => String(Math.round(value * 10_000) / 10_000 + 0);

const document = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

/** Whether the style's own background is drawn over the whole picture instead of over the code alone. */
export const fillsPicture = (style: ResolvedStyle, width: number, height: number): boolean =>
  width !== height && !style.frame && style.background.round === 0;

const moved = (x: number, y: number, scale: number, attributes: string, content: string): string =>
  `<g transform="translate(${number(x)} ${number(y)}) scale(${number(scale)})"${attributes}>${content}</g>`;

const placed = (drawing: Drawing, x: number, y: number, side: number, pixels: number): string =>
  moved(x, y, side / drawing.side, edgesOf(drawing, pixels), toContent(drawing.layers));

const composeBare = (drawing: Drawing, style: ResolvedStyle, width: number, height: number): Composition => {
  const side = Math.min(width, height);
  const code = { x: (width - side) / 2, y: (height - side) / 2, side };
  const svg = (): string => {
    if (width === height) return toSvg(drawing, width);
    const paints = createPaints('b', { x: 0, y: 0, width, height });
    const { paint } = style.background;
    const ground =
      fillsPicture(style, width, height) && paint !== 'transparent'
        ? `<rect width="${width}" height="${height}" fill="${paints.of(paint)}"/>`
        : '';
    const tile = placed(drawing, code.x, code.y, side, side);
    return document(width, height, paints.definitions() + ground + tile);
  };
  return { svg, width, height, code };
};

/** Width of the quiet zone in units of the frame. @param modules along the code's side, quiet zone included */
const quietOf = (style: ResolvedStyle, modules: number): number => (style.margin / modules) * codeSide;

/** Width over height of a picture that nothing is empty of. @param modules along the code's side, quiet zone included */
export const proportionOf = (style: ResolvedStyle, caption: Caption | undefined, modules: number): number => {
  if (!style.frame) return 1;
  const { width, height } = drawFrame(style.frame, caption, quietOf(style, modules));
  return width / height;
};

/** @param caption that of the style's frame */
export const compose = (
  drawing: Drawing,
  style: ResolvedStyle,
  caption: Caption | undefined,
  width: number,
  height: number,
): Composition => {
  if (!style.frame) return composeBare(drawing, style, width, height);
  const frame = drawFrame(style.frame, caption, quietOf(style, drawing.modules));
  const scale = Math.min(width / frame.width, height / frame.height);
  const [left, top] = [(width - frame.width * scale) / 2, (height - frame.height * scale) / 2];
  const { x, y, side } = frame.code;
  const code = { x: left + x * scale, y: top + y * scale, side: side * scale };
  const svg = (): string => {
    const tile = placed(drawing, x, y, side, code.side);
    return document(width, height, moved(left, top, scale, '', frame.below + tile + frame.above));
  };
  return { svg, width, height, code };
};
