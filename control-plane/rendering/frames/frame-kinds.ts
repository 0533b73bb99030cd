/**
 * The frames. Each is drawn around a code of 1,000 units a side, which determines the frame's width and height. A frame
 * has space for a caption of one line or two, or no such space without a caption.
 */
import type { CaptionBox } from '../captions/fit.ts';
import type { FrameLook } from '../look/look.ts';
import { bubblePath, dashesPath, rectanglePath, ribbonEndsPaths, ticketPath } from './path-data.ts';

/** The paints with which a frame is drawn. */
export interface FrameFills {
  /** A value of `fill`, as `background` is. */
  color: string;
  /** Undefined if nothing is drawn behind the code. */
  background: string | undefined;
  /** Attributes of what is laid over the colour of a ribbon's ends, and of the folds between them and the ribbon. */
  end: string;
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

/**
 * From the quiet zone or the tile to the frame. The quiet zone itself is distance enough; a tile, or a code without a
 * quiet zone, gets some.
 */
const gapOf = ({ clear }: FramedCode): number => Math.max(0, 24 - clear);

/** From a caption to its neighbours above and below, if only the code's own quiet zone separates them. */
const distance = (clear: number): number => Math.max(64, clear);

/**
 * The radius of a window's corner, which comes no closer to the symbol than the window's sides. Around a tile, the gap
 * is as wide at the corners as along the sides.
 */
const windowRadius = (radiusMax: number, code: FramedCode): number =>
  Math.min(radiusMax, (code.tileRadius ?? code.clear) + gapOf(code));

/** The height of the capitals of one line and of two, in {@link CaptionBox}es of the sizes 134 and 98. */
const freeCaptionHeight = (lines: 0 | 1 | 2): number => forLines(lines, 0, 97, 185);

const border: FrameKind = {
  captionBoxes: [
    { width: 920, height: 184, size: 134 },
    { width: 920, height: 264, size: 98 },
  ],
  layOut(lines, code) {
    const edge = 20 + gapOf(code);
    const codeBottom = edge + codeSide - code.clear;
    const area = freeCaptionHeight(lines) + 2 * distance(code.clear);
    const width = codeSide + 2 * edge;
    const height = lines === 0 ? width : codeBottom + area + 20;
    return {
      width,
      height,
      code: { x: edge, y: edge },
      draw: (fills) => bordered([0, 0, width, height], 0, 20, fills),
      caption: { x: width / 2, y: codeBottom + area / 2 },
    };
  },
};

/** A card, and below it a button that points at it. */
const scanme: FrameKind = {
  captionBoxes: [
    { width: 900, height: 170, size: 130 },
    { width: 900, height: 262, size: 98 },
  ],
  layOut(lines, code) {
    const edge = 22 + gapOf(code);
    const card = codeSide + 2 * edge;
    const radius = 22 + windowRadius(64, code);
    const button = card + 42;
    const buttonHeight = forLines(lines, 0, 178, 272);
    const middle = card / 2;
    return {
      width: card,
      height: lines === 0 ? card : button + buttonHeight,
      code: { x: edge, y: edge },
      draw: (fills) =>
        bordered([0, 0, card, card], radius, 22, fills) +
        (lines === 0
          ? ''
          : path(
              `${rectanglePath(0, button, card, buttonHeight, 89)}M${middle - 58} ${button + 2}l46 -30q12 -7 24 0l46 30z`,
              fills.color,
            )),
      caption: { x: middle, y: button + buttonHeight / 2 },
    };
  },
};

const banner: FrameKind = {
  captionBoxes: [
    { width: 940, height: 176, size: 143 },
    { width: 940, height: 264, size: 106 },
  ],
  layOut(lines, code) {
    const edge = 20 + gapOf(code);
    const width = codeSide + 2 * edge;
    const bandTop = width - 20;
    const band = forLines(lines, 20, 198, 296);
    const height = bandTop + band;
    return {
      width,
      height,
      code: { x: edge, y: edge },
      draw: (fills) =>
        ground(rectanglePath(10, 10, width - 20, bandTop), fills) +
        windowed(
          rectanglePath(0, 0, width, height),
          rectanglePath(20, 20, width - 40, bandTop - 20),
          fills.color,
        ),
      caption: { x: width / 2, y: bandTop + band / 2 },
    };
  },
};

/** A figure of the frame's colour with a window for the code, and the caption above or below the window. */
const aroundWindow = (
  outline: string,
  { x, y, side, radius }: { x: number; y: number; side: number; radius: number },
  fills: FrameFills,
): string =>
  ground(rectanglePath(x - 10, y - 10, side + 20, side + 20, radius + 10), fills) +
  windowed(outline, rectanglePath(x, y, side, side, radius), fills.color);

const rounded: FrameKind = {
  captionBoxes: [
    { width: 960, height: 176, size: 143 },
    { width: 960, height: 266, size: 108 },
  ],
  layOut(lines, code) {
    const gap = gapOf(code);
    const edge = 36 + gap;
    const width = codeSide + 2 * edge;
    const bandTop = width - 36;
    const band = forLines(lines, 36, 202, 302);
    const height = bandTop + band;
    const window = { x: 36, y: 36, side: codeSide + 2 * gap, radius: windowRadius(84, code) };
    return {
      width,
      height,
      code: { x: edge, y: edge },
      draw: (fills) => aroundWindow(rectanglePath(0, 0, width, height, 116), window, fills),
      caption: { x: width / 2, y: bandTop + band / 2 },
    };
  },
};

const polaroid: FrameKind = {
  captionBoxes: [
    { width: 960, height: 184, size: 143 },
    { width: 960, height: 278, size: 110 },
  ],
  layOut(lines, code) {
    const photo = codeSide + 2 * gapOf(code);
    const edge = 38 + gapOf(code);
    const width = photo + 2 * 38;
    // From the photograph's lower edge to the inner edge of the border.
    const strip = forLines(lines, 110, 204, 302);
    const photoBottom = 38 + photo + 6;
    const bottom = photoBottom + strip + 6;
    const shadow = `<rect x="12" y="14" width="${width}" height="${bottom}" rx="16" fill="#000000" fill-opacity="0.16"/>`;
    return {
      width: width + 12,
      height: bottom + 14,
      code: { x: edge, y: edge },
      draw: (fills) =>
        (fills.background === undefined ? '' : shadow) +
        bordered([0, 0, width, bottom], 14, 6, fills) +
        bordered([32, 32, photo + 12, photo + 12], 0, 6, fills),
      caption: { x: width / 2, y: photoBottom + strip / 2 },
    };
  },
};

const phone: FrameKind = {
  captionBoxes: [
    { width: 920, height: 184, size: 134 },
    { width: 920, height: 264, size: 98 },
  ],
  layOut(lines, code) {
    const { clear, tileRadius } = code;
    const [bezel, keys] = [20, 7];
    const edge = keys + bezel + gapOf(code);
    const width = codeSide + 2 * edge;
    const [cameraTop, cameraHeight] = [bezel + 20, 40];
    // The quiet zone may begin right under the camera; a tile keeps a caption's distance.
    const top = cameraTop + cameraHeight + (tileRadius === undefined ? Math.max(0, 108 - clear) : 64);
    const codeBottom = top + codeSide - clear;
    // The home bar lies in the distance below the caption.
    const area = freeCaptionHeight(lines) + (lines === 0 ? 1 : 2) * Math.max(84, clear);
    const height = codeBottom + area + bezel;
    const middle = width / 2;
    const key = (x: number, y: number, length: number): string => rectanglePath(x, y, 2 * keys, length, 5);
    return {
      width,
      height,
      code: { x: edge, y: top },
      draw: (fills) =>
        path(key(0, 300, 110) + key(0, 440, 110) + key(width - 2 * keys, 350, 170), fills.color) +
        bordered([keys, 0, width - 2 * keys, height], 128, bezel, fills) +
        path(
          rectanglePath(middle - 110, cameraTop, 220, cameraHeight, cameraHeight / 2) +
            rectanglePath(middle - 150, height - bezel - 26, 300, 10, 5),
          fills.color,
        ),
      caption: { x: middle, y: codeBottom + area / 2 },
    };
  },
};

const ticket: FrameKind = {
  captionBoxes: [
    { width: 960, height: 180, size: 143 },
    { width: 960, height: 272, size: 108 },
  ],
  layOut(lines, code) {
    const gap = gapOf(code);
    const width = codeSide + 2 * (56 + gap);
    const perforation = 16 + codeSide + 2 * gap + 4;
    const stub = forLines(lines, 72, 208, 304);
    const height = perforation + 4 + stub + 16;
    const outline = (inset: number): string => ticketPath(width, height, perforation, inset);
    return {
      width,
      height,
      code: { x: 56 + gap, y: 16 + gap },
      draw: (fills) =>
        ground(outline(8), fills) +
        windowed(outline(0), outline(16), fills.color) +
        path(dashesPath(perforation, width), fills.color),
      caption: { x: width / 2, y: perforation + 4 + stub / 2 },
    };
  },
};

/** A speech bubble whose first line is the caption. */
const bubble: FrameKind = {
  captionBoxes: [
    { width: 940, height: 176, size: 138 },
    { width: 940, height: 266, size: 106 },
  ],
  layOut(lines, code) {
    const gap = gapOf(code);
    const [rim, tail] = [32, 50];
    const side = codeSide + 2 * gap;
    const body = side + 2 * rim;
    const band = forLines(lines, rim, 196, 294);
    const height = band + side + rim;
    const window = { x: tail + rim, y: band, side, radius: windowRadius(84, code) };
    return {
      width: tail + body,
      height,
      code: { x: tail + rim + gap, y: band + gap },
      draw: (fills) => aroundWindow(bubblePath(tail, body, height, 124), window, fills),
      caption: { x: tail + body / 2, y: band / 2 },
    };
  },
};

/** A ribbon in front of the lower edge of a card, with its ends folded to the back and cut to points. */
const ribbon: FrameKind = {
  captionBoxes: [
    { width: 940, height: 172, size: 143 },
    { width: 940, height: 262, size: 106 },
  ],
  layOut(lines, code) {
    const line = 16;
    const edge = line + gapOf(code);
    const card = codeSide + 2 * edge;
    if (lines === 0)
      return {
        width: card,
        height: card,
        code: { x: edge, y: edge },
        draw: (fills) => bordered([0, 0, card, card], 44, line, fills),
        caption: { x: card / 2, y: card / 2 },
      };
    const [overhang, drop] = [42, 32];
    const top = card - line;
    const band = forLines(lines, 0, 192, 290);
    const width = card + 2 * overhang;
    const ribbonEnds = ribbonEndsPaths({ top, width, band, drop, begin: overhang - 8 });
    const laid = (d: string, attributes: string): string => `<path d="${d}" ${attributes}/>`;
    return {
      width,
      height: top + band + drop,
      code: { x: overhang + edge, y: edge },
      draw: (fills) =>
        path(ribbonEnds.ends, fills.color) +
        laid(ribbonEnds.ends, fills.end) +
        laid(ribbonEnds.folds, fills.fold) +
        bordered([overhang, 0, card, top + band / 2], 44, line, fills) +
        path(rectanglePath(overhang - 8, top, card + 16, band), fills.color),
      caption: { x: width / 2, y: top + band / 2 },
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
