/**
 * The third stage: a drawn code, its frame and its size → one SVG document of exactly that width and height. A picture
 * of other proportions than the document is centred.
 */
import { createHash } from 'node:crypto';
import type { Caption } from '../captions/caption.ts';
import { type Drawing, edgesOf } from '../drawing/drawing.ts';
import { drawFrame } from '../frames/frame.ts';
import { codeSide, type FramedCode } from '../frames/frame-kinds.ts';
import { createPaintFills } from '../frames/paint-fills.ts';
import type { Look } from '../look/look.ts';
import { type ContentOptions, toContent } from '../vector/layers.ts';
import { formatNumber } from '../vector/numbers.ts';
import { writeSvgDocument } from '../vector/svg-document.ts';
import { lookKey, type Scene } from './scene.ts';

export interface Composition {
  /** For the rasteriser: only the visible parts. */
  svg(): string;
  /** For a file: with a title, and with a logo's vectors. */
  file(): string;
  width: number;
  height: number;
  /** The square of the code, quiet zone included, in pixels. */
  code: Square;
}

interface Square {
  x: number;
  y: number;
  side: number;
}

/** Whether the look's background covers the whole picture; otherwise it covers only the code. */
export const fillsPicture = (look: Look, width: number, height: number): boolean =>
  width !== height && !look.frame && look.background.round === 0;

/** Whether the frame has the code's background, so that none is drawn for the code: a gradient spans both. */
export const continuesInFrame = ({ background, frame }: Look): boolean =>
  frame !== undefined && frame.background === background.paint;

/** Four decimals: a scale applies to a thousand units. */
const factor = (value: number): string => formatNumber(value, 4);

const moved = (x: number, y: number, scale: number, attributes: string, content: string): string =>
  `<g transform="translate(${factor(x)} ${factor(y)}) scale(${factor(scale)})"${attributes}>${content}</g>`;

/** @param pixels of the square's side */
const codeIn = ({ x, y, side }: Square, drawing: Drawing, pixels: number, options: ContentOptions): string =>
  moved(x, y, side / drawing.side, edgesOf(drawing, pixels), toContent(drawing.layers, options));

/** Equal for the same picture, and different for any other: two codes in one page must not share ids. */
const idPrefixOf = (scene: Scene): string => {
  const { payload, matrix, width, height } = scene;
  const content = JSON.stringify([payload, matrix.size, matrix.level, width, height, ...lookKey(scene)]);
  return `q${createHash('sha1').update(content).digest('hex').slice(0, 10)}`;
};

/** The caption says the purpose of the code. The payload is not read out. */
const titleOf = ({ frame }: Look): string =>
  frame && frame.text.trim() !== '' ? `QR code: ${frame.text.trim()}` : 'QR code';

/** Both documents of a scene. @param write their content */
const documentsOf = (
  { look, width, height }: Scene,
  idPrefix: string,
  code: Square,
  write: (options: ContentOptions) => string,
): Composition => ({
  svg: () => writeSvgDocument({ width, height, content: write({ idPrefix, embedsVectors: false }) }),
  file: () =>
    writeSvgDocument({
      width,
      height,
      title: titleOf(look),
      content: write({ idPrefix, embedsVectors: true }),
    }),
  width,
  height,
  code,
});

const composeUnframed = (drawing: Drawing, scene: Scene): Composition => {
  const { look, width, height } = scene;
  const idPrefix = idPrefixOf(scene);
  const side = Math.min(width, height);
  const code = { x: (width - side) / 2, y: (height - side) / 2, side };
  const { paint } = look.background;
  return documentsOf(scene, idPrefix, code, (options) => {
    const fills = createPaintFills(`${idPrefix}b`, { x: 0, y: 0, width, height });
    const ground =
      fillsPicture(look, width, height) && paint !== 'transparent'
        ? `<rect width="${width}" height="${height}" fill="${fills.valueOf(paint)}"/>`
        : '';
    return fills.definitions() + ground + codeIn(code, drawing, side, options);
  });
};

/** @param modules along the code's side, quiet zone included */
const framedCodeOf = (look: Look, modules: number): FramedCode => {
  const { paint, round } = look.background;
  return paint === 'transparent' || continuesInFrame(look)
    ? { clear: (look.margin / modules) * codeSide, tileRadius: undefined }
    : { clear: 0, tileRadius: (round * codeSide) / 2 };
};

/** Width over height of a picture without empty borders. @param modules along the code's side, quiet zone included */
export const proportionOf = (look: Look, caption: Caption | undefined, modules: number): number => {
  if (!look.frame) return 1;
  const code = framedCodeOf(look, modules);
  const { width, height } = drawFrame(look.frame, { caption, code, idPrefix: 'f' });
  return width / height;
};

export const compose = (drawing: Drawing, scene: Scene): Composition => {
  const { look, caption, width, height } = scene;
  if (!look.frame) return composeUnframed(drawing, scene);
  const idPrefix = idPrefixOf(scene);
  const framedCode = framedCodeOf(look, drawing.modules);
  const frame = drawFrame(look.frame, { caption, code: framedCode, idPrefix: `${idPrefix}f` });
  const scale = Math.min(width / frame.width, height / frame.height);
  const [left, top] = [(width - frame.width * scale) / 2, (height - frame.height * scale) / 2];
  const { x, y, side } = frame.code;
  const code = { x: left + x * scale, y: top + y * scale, side: side * scale };
  return documentsOf(scene, idPrefix, code, (options) => {
    const tile = codeIn(frame.code, drawing, code.side, options);
    return moved(left, top, scale, '', frame.below + tile + frame.above);
  });
};
