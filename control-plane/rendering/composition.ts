/**
 * The third stage: a drawn code, its frame and its size → one SVG document of exactly that width and height. What is not as
 * wide as it is high lies in the middle.
 */
import type { Drawing } from './drawing.ts';
import { drawFrame } from './frames/index.ts';
import { createPaints } from './paint.ts';
import type { ResolvedStyle } from './style.ts';

export interface Composition {
  svg: string;
  width: number;
  height: number;
  /** Where the code lies, its quiet zone included, in pixels. */
  code: { x: number; y: number; side: number };
}

/**
 * From this many pixels to a module on, crisp edges lie on whole pixels. Below, modules would differ in width by half,
 * and readers lose count: of symbols of version 2 at level L in 64 pixels, 93 in 100 were not read, and smoothed all.
 */
const crispModulePixelsMin = 3;

const number = (value: number): string => String(Math.round(value * 10_000) / 10_000 + 0);

const document = (width: number, height: number, box: [number, number], rest: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${box[0]} ${box[1]}"${rest}</svg>`;

/** Whether the style's own background is drawn over the whole picture instead of over the code alone. */
export const fillsPicture = (style: ResolvedStyle, width: number, height: number): boolean =>
  width !== height && !style.frame && style.background.round === 0;

const moved = (x: number, y: number, scale: number, attributes: string, content: string): string =>
  `<g transform="translate(${number(x)} ${number(y)}) scale(${number(scale)})"${attributes}>${content}</g>`;

const edges = ({ crisp, modules }: Drawing, pixels: number): string =>
  crisp && pixels >= modules * crispModulePixelsMin ? ' shape-rendering="crispEdges"' : '';

const composeBare = (drawing: Drawing, style: ResolvedStyle, width: number, height: number): Composition => {
  const side = Math.min(width, height);
  const code = { x: (width - side) / 2, y: (height - side) / 2, side };
  const attributes = edges(drawing, side);
  if (width === height) {
    const box: [number, number] = [drawing.side, drawing.side];
    return { svg: document(width, height, box, `${attributes}>${drawing.content}`), width, height, code };
  }
  const paints = createPaints('b', { x: 0, y: 0, width, height });
  const { paint } = style.background;
  const fill =
    fillsPicture(style, width, height) && paint !== 'transparent'
      ? `<rect width="${width}" height="${height}" fill="${paints.of(paint)}"/>`
      : '';
  const placed = moved(code.x, code.y, side / drawing.side, attributes, drawing.content);
  return {
    svg: document(width, height, [width, height], `>${paints.definitions()}${fill}${placed}`),
    width,
    height,
    code,
  };
};

/** @throws {ClientError} UNPROCESSABLE naming `frame.text` */
export const compose = (drawing: Drawing, style: ResolvedStyle, width: number, height: number): Composition => {
  if (!style.frame) return composeBare(drawing, style, width, height);
  const frame = drawFrame(style.frame);
  const scale = Math.min(width / frame.width, height / frame.height);
  const [left, top] = [(width - frame.width * scale) / 2, (height - frame.height * scale) / 2];
  const { x, y, side } = frame.code;
  const code = { x: left + x * scale, y: top + y * scale, side: side * scale };
  const tile = moved(x, y, side / drawing.side, edges(drawing, code.side), drawing.content);
  const content = moved(left, top, scale, '', frame.below + tile + frame.above);
  return { svg: document(width, height, [width, height], `>${content}`), width, height, code };
};
