/** The fourth stage: the frame around a code, with the caption as outlines. */

import type { Caption } from '../captions/caption.ts';
import { drawCaption, fitCaption } from '../captions/fit.ts';
import { distanceOf } from '../look/caption-color.ts';
import { colorsOf } from '../look/contrast.ts';
import type { FrameLook, Paint } from '../look/look.ts';
import { codeSide, type FramedCode, frameKinds } from './frame-kinds.ts';
import { createPaintFills } from './paint-fills.ts';

export interface DrawnFrame {
  /** In units of {@link codeSide} per side of the code, like all lengths here. */
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

/** The minimum contrast of a fold with the page behind it, white or black. */
const foldContrastMin = 1.6;

/** The colour of a ribbon's folded ends: its shadow, or a lighter tone if the shadow would be lost on a dark page. */
const foldColor = (paint: Paint): string => {
  const color = colorsOf(paint)[0]!;
  const shadow = mixed(color, '#000000', 0.38);
  return distanceOf(shadow, '#000000') >= foldContrastMin ? shadow : mixed(color, '#ffffff', 0.3);
};

export interface FrameOptions {
  /** Undefined for no caption. */
  caption: Caption | undefined;
  /** In units of {@link codeSide}. */
  code: FramedCode;
  /** Prefix of its gradients' ids. */
  idPrefix: string;
}

export const drawFrame = (
  frame: FrameLook,
  { caption, code: framed, idPrefix }: FrameOptions,
): DrawnFrame => {
  const { captionBoxes, layOut } = frameKinds[frame.id];
  const fitted = caption && fitCaption(caption, captionBoxes);
  const layout = layOut(!fitted ? 0 : fitted.lines.length === 1 ? 1 : 2, framed);
  const { width, height, code } = layout;
  const paintFills = createPaintFills(idPrefix, { x: 0, y: 0, width, height });
  const fills = {
    color: paintFills.valueOf(frame.color),
    background: frame.background === 'transparent' ? undefined : paintFills.valueOf(frame.background),
    fold: foldColor(frame.color),
  };
  const outlines = fitted ? drawCaption(fitted, layout.caption.x, layout.caption.y) : '';
  const above =
    outlines === '' ? '' : `<path fill="${paintFills.valueOf(frame.textColor)}" d="${outlines}"/>`;
  const below = layout.draw(fills);
  return { width, height, code: { ...code, side: codeSide }, below: paintFills.definitions() + below, above };
};
