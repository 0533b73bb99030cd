/** The fourth stage: what stands round a code, its caption in outlines. */

import { drawCaption, fitCaption } from '../captions/fit.ts';
import type { Caption } from '../captions/index.ts';
import { distanceOf } from '../look/caption-color.ts';
import { colorsOf } from '../look/contrast.ts';
import type { FrameLook, Paint } from '../look/look.ts';
import { createPaints } from './paints.ts';
import { codeSide, type Framed, frameKinds } from './shapes.ts';

export interface DrawnFrame {
  /** In units of which the code's side has {@link codeSide}. */
  width: number;
  height: number;
  code: { x: number; y: number; side: number };
  /** SVG content below and above the code. */
  below: string;
  above: string;
}

/** @param share of white or black, 0 to 1 */
const mixed = (color: string, other: '#ffffff' | '#000000', share: number): string => {
  const goal = other === '#ffffff' ? 255 : 0;
  const bytes = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16);
    return Math.round(value + (goal - value) * share);
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** What parts a fold from the page behind it, be that white or black. */
const foldContrastMin = 1.6;

/** The back of a ribbon: in its shadow, or where that would be lost on a dark page, the lighter side of the cloth. */
const foldColor = (paint: Paint): string => {
  const color = colorsOf(paint)[0]!;
  const shadow = mixed(color, '#000000', 0.38);
  return distanceOf(shadow, '#000000') >= foldContrastMin ? shadow : mixed(color, '#ffffff', 0.3);
};

export interface FrameOptions {
  /** Undefined is none. */
  caption: Caption | undefined;
  /** In units of {@link codeSide}. */
  framed: Framed;
  /** Of the ids of its gradients. */
  idPrefix: string;
}

export const drawFrame = (frame: FrameLook, { caption, framed, idPrefix }: FrameOptions): DrawnFrame => {
  const { rooms, shape } = frameKinds[frame.id];
  const fitted = caption && fitCaption(caption, rooms);
  const drawn = shape(!fitted ? 0 : fitted.lines.length === 1 ? 1 : 2, framed);
  const { width, height, code } = drawn;
  const paints = createPaints(idPrefix, { x: 0, y: 0, width, height });
  const inks = {
    color: paints.of(frame.color),
    background: frame.background === 'transparent' ? undefined : paints.of(frame.background),
    fold: foldColor(frame.color),
  };
  const outlines = fitted ? drawCaption(fitted, drawn.caption.x, drawn.caption.y) : '';
  const above = outlines === '' ? '' : `<path fill="${paints.of(frame.textColor)}" d="${outlines}"/>`;
  const below = drawn.draw(inks);
  return { width, height, code: { ...code, side: codeSide }, below: paints.definitions() + below, above };
};
