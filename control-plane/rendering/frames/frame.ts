/** The fourth stage: the frame around a code, with the caption as outlines. */

import { contrast, mix } from '#shared/colors.ts';
import type { Caption } from '../captions/caption.ts';
import { drawCaption, fitCaption } from '../captions/fit.ts';
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

/** The minimum contrast of a ribbon's ends with the page behind them, white or black. */
const endContrastMin = 1.4;

/** A share of black or white that is laid over a colour. */
const overlay = (fill: '#000000' | '#ffffff', share: number): string =>
  `fill="${fill}" fill-opacity="${share}"`;

/** The ends of a ribbon are a darker tone of it, and its folds the darkest; nearly black ribbons have lighter ends. */
const endFills = (paint: Paint): { end: string; fold: string } => {
  const shadow = 0.3;
  const isSeen = colorsOf(paint).every(
    (color) => contrast(mix(color, '#000000', shadow), '#000000') >= endContrastMin,
  );
  return {
    end: isSeen ? overlay('#000000', shadow) : overlay('#ffffff', 0.26),
    fold: overlay('#000000', 0.4),
  };
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
    ...endFills(frame.color),
  };
  const outlines = fitted ? drawCaption(fitted, layout.caption.x, layout.caption.y) : '';
  const above =
    outlines === '' ? '' : `<path fill="${paintFills.valueOf(frame.textColor)}" d="${outlines}"/>`;
  const below = layout.draw(fills);
  return { width, height, code: { ...code, side: codeSide }, below: paintFills.definitions() + below, above };
};
