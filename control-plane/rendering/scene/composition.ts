/**
 * The third stage: a drawn code, its frame and its size → one SVG document of exactly that width and height. What is not as
 * wide as it is high lies in the middle.
 */
import type { Caption } from '../captions/index.ts';
import { type Drawing, edgesOf } from '../drawing/drawing.ts';
import { drawFrame } from '../frames/index.ts';
import { createPaints } from '../frames/paints.ts';
import { codeSide, type Framed } from '../frames/shapes.ts';
import type { Look } from '../look/look.ts';
import { type ContentOptions, toContent } from '../vector/layers.ts';
import { writeDocument } from '../vector/svg-document.ts';

export interface Composition {
  /** For the rasteriser: what it draws, and nothing else. */
  svg(): string;
  /** For whoever shows it: with a title, and a logo that is a drawing stays one. */
  file(): string;
  width: number;
  height: number;
  /** Where the code lies, its quiet zone included, in pixels. */
  code: { x: number; y: number; side: number };
}

const number = (value: number): string => String(Math.round(value * 10_000) / 10_000 + 0);

/** Whether the look's own background is drawn over the whole picture instead of over the code alone. */
export const fillsPicture = (look: Look, width: number, height: number): boolean =>
  width !== height && !look.frame && look.background.round === 0;

const moved = (x: number, y: number, scale: number, attributes: string, content: string): string =>
  `<g transform="translate(${number(x)} ${number(y)}) scale(${number(scale)})"${attributes}>${content}</g>`;

interface Square {
  x: number;
  y: number;
  side: number;
}

/** @param pixels of the square's side */
const placed = (drawing: Drawing, { x, y, side }: Square, pixels: number, options: ContentOptions): string =>
  moved(x, y, side / drawing.side, edgesOf(drawing, pixels), toContent(drawing.layers, options));

/** What the two kinds of document have in common. @param write the content */
const composed = (
  { idPrefix, title, width, height }: CompositionOptions,
  code: Square,
  write: (options: ContentOptions) => string,
): Composition => ({
  svg: () => writeDocument({ width, height, content: write({ idPrefix, drawsLogo: false }) }),
  file: () => writeDocument({ width, height, title, content: write({ idPrefix, drawsLogo: true }) }),
  width,
  height,
  code,
});

const composeBare = (drawing: Drawing, look: Look, options: CompositionOptions): Composition => {
  const { width, height } = options;
  const side = Math.min(width, height);
  const code = { x: (width - side) / 2, y: (height - side) / 2, side };
  const { paint } = look.background;
  return composed(options, code, (contentOptions) => {
    const paints = createPaints(`${contentOptions.idPrefix}b`, { x: 0, y: 0, width, height });
    const ground =
      fillsPicture(look, width, height) && paint !== 'transparent'
        ? `<rect width="${width}" height="${height}" fill="${paints.of(paint)}"/>`
        : '';
    return paints.definitions() + ground + placed(drawing, code, side, contentOptions);
  });
};

export interface CompositionOptions {
  /** That of the look's frame. */
  caption: Caption | undefined;
  /** Pixels. */
  width: number;
  height: number;
  /** Of ids, to tell them from those of other pictures in the same page. */
  idPrefix: string;
  /** What the picture is called where it is not seen. */
  title: string;
}

/** Whether a code's background is that of its frame, so that none is drawn for it: a gradient runs over both. */
export const continuesInFrame = ({ background, frame }: Look): boolean =>
  frame !== undefined && frame.background === background.paint;

/** What is seen of a code in its frame. @param modules along the code's side, quiet zone included */
const framedOf = (look: Look, modules: number): Framed => {
  const { paint, round } = look.background;
  return paint === 'transparent' || continuesInFrame(look)
    ? { clear: (look.margin / modules) * codeSide, tileRadius: undefined }
    : { clear: 0, tileRadius: (round * codeSide) / 2 };
};

/** Width over height of a picture that nothing is empty of. @param modules along the code's side, quiet zone included */
export const proportionOf = (look: Look, caption: Caption | undefined, modules: number): number => {
  if (!look.frame) return 1;
  const { width, height } = drawFrame(look.frame, {
    caption,
    framed: framedOf(look, modules),
    idPrefix: 'f',
  });
  return width / height;
};

export const compose = (drawing: Drawing, look: Look, options: CompositionOptions): Composition => {
  if (!look.frame) return composeBare(drawing, look, options);
  const { caption, width, height, idPrefix } = options;
  const framed = framedOf(look, drawing.modules);
  const frame = drawFrame(look.frame, { caption, framed, idPrefix: `${idPrefix}f` });
  const scale = Math.min(width / frame.width, height / frame.height);
  const [left, top] = [(width - frame.width * scale) / 2, (height - frame.height * scale) / 2];
  const { x, y, side } = frame.code;
  const code = { x: left + x * scale, y: top + y * scale, side: side * scale };
  return composed(options, code, (contentOptions) => {
    const tile = placed(drawing, frame.code, code.side, contentOptions);
    return moved(left, top, scale, '', frame.below + tile + frame.above);
  });
};
