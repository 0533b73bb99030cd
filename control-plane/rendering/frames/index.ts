/** The fourth stage: what stands round a code, its caption in outlines. */
import { capHeightOf } from '../captions/fonts.ts';
import { outlineText } from '../captions/outline.ts';
import { createPaints } from '../paint.ts';
import type { FrameStyle } from '../style.ts';
import { codeSide, frameShapes, type Shape } from './shapes.ts';

export interface DrawnFrame {
  /** In units of which the code's side has {@link codeSide}. */
  width: number;
  height: number;
  code: { x: number; y: number; side: number };
  /** SVG content below and above the code. */
  below: string;
  above: string;
}

/** Centred on the height of its capitals, and as small as it must be to fit. */
const drawCaption = ({ text, font }: FrameStyle, { caption }: Shape, fill: string): string => {
  const outline = outlineText(text, font);
  const size = Math.min(caption.size, caption.widthMax / outline.width);
  const left = caption.x - (outline.width * size) / 2;
  const d = outline.draw(left, caption.y + (capHeightOf(font) * size) / 2, size);
  return d === '' ? '' : `<path fill="${fill}" d="${d}"/>`;
};

/** @throws {ClientError} UNPROCESSABLE naming `frame.text` when no font has one of its glyphs */
export const drawFrame = (frame: FrameStyle): DrawnFrame => {
  const captioned = frame.text.trim() !== '';
  const shape = frameShapes[frame.id](captioned);
  const { width, height, code } = shape;
  const paints = createPaints('f', { x: 0, y: 0, width, height });
  const inks = { color: paints.of(frame.color), background: paints.of(frame.background) };
  const above = captioned ? drawCaption(frame, shape, paints.of(frame.textColor)) : '';
  const below = shape.draw(inks);
  return { width, height, code: { ...code, side: codeSide }, below: paints.definitions() + below, above };
};
