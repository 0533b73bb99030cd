/**
 * The frames. Each is drawn around a code of 1,000 units a side, which determines the frame's width and height. A frame
 * has space for a caption of one line or two, or no such space without a caption.
 */
import type { CaptionBox } from '../captions/fit.ts';
import type { FrameLook } from '../look/look.ts';
import { dashesPath, rectanglePath, ticketPath } from './path-data.ts';

/** The values of `fill` with which a frame is drawn. */
export interface FrameFills {
  color: string;
  /** Undefined if nothing is drawn behind the code. */
  background: string | undefined;
  /** The colour of folded ends. */
  fold: string;
}

export interface FrameLayout {
  width: number;
  height: number;
  /** The upper left corner of the code. */
  code: { x: number; y: number };
  /** Drawn below the code. */
  draw(fills: FrameFills): string;
  /** The middle of the caption. */
  caption: { x: number; y: number };
}

/** The parts of a code from which a frame keeps its distance. */
export interface FramedCode {
  /**
   * From the code's sides to its visible part: the quiet zone's width, or 0 if the code lies on a tile of its own
   * colour.
   */
  clear: number;
  /** The radius of the tile's corners; undefined without a tile. */
  tileRadius: number | undefined;
}

export interface FrameKind {
  /** For a caption on one line, and on two. */
  captionBoxes: readonly [CaptionBox, CaptionBox];
  /** @param lines of the caption */
  layOut(lines: 0 | 1 | 2, code: FramedCode): FrameLayout;
}

export const codeSide = 1000;

const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;

const ground = (d: string, { background }: FrameFills): string =>
  background === undefined ? '' : path(d, background);

/** A figure with a window, through which none of its colour is seen. */
const windowed = (outer: string, window: string, color: string): string =>
  `<path fill-rule="evenodd" d="${outer}${window}" fill="${color}"/>`;

/** A border of even width around a ground that extends under half of the border. */
const bordered = (
  [x, y, width, height]: [number, number, number, number],
  radius: number,
  border: number,
  fills: FrameFills,
): string => {
  const inset = (by: number): string =>
    rectanglePath(x + by, y + by, width - 2 * by, height - 2 * by, radius - by);
  return ground(inset(border / 2), fills) + windowed(inset(0), inset(border), fills.color);
};

/** The number for this many lines. */
const forLines = (lines: 0 | 1 | 2, ...[none, one, two]: [number, number, number]): number =>
  [none, one, two][lines]!;

/** From a caption to its neighbours above and below, if only the code's own quiet zone separates them. */
const distance = (clear: number): number => Math.max(64, clear + 18);

/** The radius of a window's corner. Around a tile, the gap is as wide at the corners as along the sides. */
const windowRadius = (radiusMax: number, gap: number, { tileRadius }: FramedCode): number =>
  tileRadius === undefined ? radiusMax : Math.min(radiusMax, tileRadius + gap);

/** The height of the capitals of one line and of two, in {@link CaptionBox}es of the sizes 116 and 84. */
const freeCaptionHeight = (lines: 0 | 1 | 2): number => forLines(lines, 0, 84, 158);

const border: FrameKind = {
  captionBoxes: [
    { width: 920, height: 160, size: 116 },
    { width: 920, height: 230, size: 84 },
  ],
  layOut(lines, { clear }) {
    const codeBottom = 40 + codeSide - clear;
    const area = freeCaptionHeight(lines) + 2 * distance(clear);
    const height = lines === 0 ? 1080 : codeBottom + area + 22;
    return {
      width: 1080,
      height,
      code: { x: 40, y: 40 },
      draw: (fills) => bordered([0, 0, 1080, height], 0, 22, fills),
      caption: { x: 540, y: codeBottom + area / 2 },
    };
  },
};

const scanme: FrameKind = {
  captionBoxes: [
    { width: 900, height: 156, size: 112 },
    { width: 900, height: 236, size: 84 },
  ],
  layOut(lines, code) {
    const radius = 24 + windowRadius(60, 16, code);
    const pill = forLines(lines, 0, 190, 280);
    return {
      width: 1080,
      height: lines === 0 ? 1080 : 1130 + pill,
      code: { x: 40, y: 40 },
      draw: (fills) =>
        bordered([0, 0, 1080, 1080], radius, 24, fills) +
        (lines === 0
          ? ''
          : path(`${rectanglePath(40, 1130, 1000, pill, 95)}M540 1090l60 42h-120z`, fills.color)),
      caption: { x: 540, y: 1130 + pill / 2 },
    };
  },
};

const banner: FrameKind = {
  captionBoxes: [
    { width: 940, height: 180, size: 124 },
    { width: 940, height: 250, size: 92 },
  ],
  layOut(lines) {
    const band = forLines(lines, 22, 220, 300);
    const windowBottom = lines === 0 ? 1058 : 1070;
    const height = windowBottom + band;
    return {
      width: 1080,
      height,
      code: { x: 40, y: 40 },
      draw: (fills) =>
        ground(rectanglePath(11, 11, 1058, windowBottom), fills) +
        windowed(
          rectanglePath(0, 0, 1080, height),
          rectanglePath(22, 22, 1036, windowBottom - 22),
          fills.color,
        ),
      caption: { x: 540, y: windowBottom + band / 2 },
    };
  },
};

const rounded: FrameKind = {
  captionBoxes: [
    { width: 960, height: 180, size: 124 },
    { width: 960, height: 256, size: 94 },
  ],
  layOut(lines, code) {
    const radius = windowRadius(84, 26, code);
    const band = forLines(lines, 44, 230, 310);
    return {
      width: 1140,
      height: 1096 + band,
      code: { x: 70, y: 70 },
      draw: (fills) =>
        ground(rectanglePath(34, 34, 1072, 1072, radius + 10), fills) +
        windowed(
          rectanglePath(0, 0, 1140, 1096 + band, 120),
          rectanglePath(44, 44, 1052, 1052, radius),
          fills.color,
        ),
      caption: { x: 570, y: 1096 + band / 2 },
    };
  },
};

const polaroid: FrameKind = {
  captionBoxes: [
    { width: 980, height: 200, size: 128 },
    { width: 980, height: 266, size: 96 },
  ],
  layOut(lines) {
    // From the photograph's lower edge to the inner edge of the border.
    const strip = forLines(lines, 140, 270, 340);
    const bottom = 1066 + strip + 7;
    const shadow = `<rect x="14" y="18" width="1140" height="${bottom}" rx="16" fill="#000000" fill-opacity="0.16"/>`;
    return {
      width: 1154,
      height: bottom + 18,
      code: { x: 70, y: 60 },
      draw: (fills) =>
        (fills.background === undefined ? '' : shadow) +
        bordered([0, 0, 1140, bottom], 14, 7, fills) +
        bordered([64, 54, 1012, 1012], 0, 6, fills),
      caption: { x: 570, y: 1066 + strip / 2 },
    };
  },
};

const phone: FrameKind = {
  captionBoxes: [
    { width: 920, height: 160, size: 116 },
    { width: 920, height: 230, size: 84 },
  ],
  layOut(lines, { clear, tileRadius }) {
    // The quiet zone may begin right under the camera; a tile keeps a caption's distance.
    const top = tileRadius === undefined ? Math.max(126, 226 - clear) : 178;
    const codeBottom = top + codeSide - clear;
    const area = lines === 0 ? Math.max(64, clear) : freeCaptionHeight(lines) + 2 * distance(clear);
    const bar = codeBottom + area;
    const height = bar + 14 + 28 + 30;
    return {
      width: 1088,
      height,
      code: { x: 44, y: top },
      draw: (fills) =>
        bordered([0, 0, 1088, height], 150, 30, fills) +
        path(rectanglePath(404, 62, 280, 52, 26) + rectanglePath(384, bar, 320, 14, 7), fills.color),
      caption: { x: 544, y: codeBottom + area / 2 },
    };
  },
};

const ticket: FrameKind = {
  captionBoxes: [
    { width: 960, height: 180, size: 128 },
    { width: 960, height: 256, size: 94 },
  ],
  layOut(lines) {
    const perforation = 1120;
    const stub = forLines(lines, 92, 226, 306);
    const height = perforation + 4 + stub + 18;
    const outline = (inset: number): string => ticketPath(1160, height, perforation, inset);
    return {
      width: 1160,
      height,
      code: { x: 80, y: 56 },
      draw: (fills) =>
        ground(outline(9), fills) +
        windowed(outline(0), outline(18), fills.color) +
        path(dashesPath(perforation), fills.color),
      caption: { x: 580, y: perforation + 4 + stub / 2 },
    };
  },
};

const bubble: FrameKind = {
  captionBoxes: [
    { width: 920, height: 172, size: 120 },
    { width: 920, height: 246, size: 92 },
  ],
  layOut(lines, code) {
    const radius = 24 + windowRadius(60, 16, code);
    const speech = forLines(lines, 0, 210, 290);
    const top = lines === 0 ? 0 : speech + 80;
    return {
      width: 1080,
      height: top + 1080,
      code: { x: 40, y: top + 40 },
      draw: (fills) =>
        bordered([0, top, 1080, 1080], radius, 24, fills) +
        (lines === 0
          ? ''
          : path(`${rectanglePath(0, 0, 1080, speech, 84)}M456 ${speech - 10}h168l-84 74z`, fills.color)),
      caption: { x: 540, y: speech / 2 },
    };
  },
};

/** A band in front of a card, with its ends folded around the card's edges. */
const ribbon: FrameKind = {
  captionBoxes: [
    { width: 1020, height: 164, size: 124 },
    { width: 1020, height: 240, size: 92 },
  ],
  layOut(lines) {
    if (lines === 0)
      return {
        width: 1080,
        height: 1080,
        code: { x: 40, y: 40 },
        draw: (fills) => bordered([0, 0, 1080, 1080], 44, 22, fills),
        caption: { x: 540, y: 540 },
      };
    const [overhang, fold] = [68, 64];
    const top = 1066;
    const bottom = top + forLines(lines, 0, 204, 284);
    const width = 1080 + 2 * overhang;
    const height = bottom + fold + 34;
    return {
      width,
      height,
      code: { x: overhang + 40, y: 40 },
      draw: (fills) =>
        path(`M0 ${bottom}h${overhang}v${fold}zM${width} ${bottom}h${-overhang}v${fold}z`, fills.fold) +
        bordered([overhang, 0, 1080, height], 44, 22, fills) +
        path(rectanglePath(0, top, width, bottom - top), fills.color),
      caption: { x: width / 2, y: (top + bottom) / 2 },
    };
  },
};

export const frameKinds: Record<FrameLook['id'], FrameKind> = {
  border,
  scanme,
  banner,
  rounded,
  polaroid,
  phone,
  ticket,
  bubble,
  ribbon,
};
