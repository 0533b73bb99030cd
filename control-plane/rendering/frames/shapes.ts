/**
 * The ten frames but `none`. Each is drawn round a code of 1,000 units a side; how wide and high the whole is follows from it.
 * Without a caption the room for it goes.
 */
import type { FrameStyle } from '../style.ts';

/** What is drawn with: values for `fill` and `stroke`. */
export interface Inks {
  color: string;
  background: string;
}

export interface Shape {
  width: number;
  height: number;
  /** The upper left corner of the code. */
  code: { x: number; y: number };
  /** Drawn below the code. */
  draw(inks: Inks): string;
  /** The middle of the caption, the room that it has, and the size at which it begins to shrink. */
  caption: { x: number; y: number; widthMax: number; size: number };
}

export const codeSide = 1000;

const rect = (x: number, y: number, width: number, height: number, radius: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"${radius > 0 ? ` rx="${radius}"` : ''} fill="${fill}"/>`;

const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;

/** A filled shape inside another: a border of even width that needs no stroke, and so no rounding of half of one. */
const bordered = (
  [x, y, width, height]: [number, number, number, number],
  radius: number,
  border: number,
  { color, background }: Inks,
): string => {
  const inner = Math.max(0, radius - border);
  return (
    rect(x, y, width, height, radius, color) +
    rect(x + border, y + border, width - 2 * border, height - 2 * border, inner, background)
  );
};

type MakeShape = (captioned: boolean) => Shape;

const border: MakeShape = (captioned) => {
  const height = captioned ? 1240 : 1080;
  return {
    width: 1080,
    height,
    code: { x: 40, y: 40 },
    draw: (inks) => bordered([0, 0, 1080, height], 0, 22, inks),
    caption: { x: 540, y: 1118, widthMax: 940, size: 112 },
  };
};

const scanme: MakeShape = (captioned) => ({
  width: 1080,
  height: captioned ? 1320 : 1080,
  code: { x: 40, y: 40 },
  draw: (inks) =>
    bordered([0, 0, 1080, 1080], 84, 24, inks) +
    (captioned ? rect(90, 1130, 900, 190, 95, inks.color) + path('M540 1092l54 54h-108z', inks.color) : ''),
  caption: { x: 540, y: 1225, widthMax: 780, size: 108 },
});

const banner: MakeShape = (captioned) => {
  const height = captioned ? 1290 : 1080;
  return {
    width: 1080,
    height,
    code: { x: 40, y: 40 },
    draw: (inks) =>
      bordered([0, 0, 1080, height], 0, 22, inks) +
      (captioned ? rect(0, 1070, 1080, 220, 0, inks.color) : ''),
    caption: { x: 540, y: 1176, widthMax: 960, size: 124 },
  };
};

const rounded: MakeShape = (captioned) => {
  const height = captioned ? 1340 : 1140;
  return {
    width: 1140,
    height,
    code: { x: 70, y: 70 },
    draw: ({ color, background }) =>
      rect(0, 0, 1140, height, 120, color) + rect(44, 44, 1052, 1052, 84, background),
    caption: { x: 570, y: 1214, widthMax: 980, size: 124 },
  };
};

const polaroid: MakeShape = (captioned) => {
  const height = captioned ? 1400 : 1250;
  const shadow = `<rect x="22" y="26" width="1156" height="${height - 26}" rx="14" fill="#000000" fill-opacity="0.14"/>`;
  return {
    width: 1190,
    height,
    code: { x: 86, y: 80 },
    draw: (inks) =>
      shadow + bordered([8, 0, 1156, height - 16], 14, 7, inks) + bordered([80, 74, 1012, 1012], 0, 6, inks),
    caption: { x: 586, y: 1236, widthMax: 1000, size: 128 },
  };
};

const phone: MakeShape = (captioned) => {
  const screenBottom = captioned ? 1560 : 1390;
  const height = screenBottom + 40;
  return {
    width: 1160,
    height,
    code: { x: 80, y: 210 },
    draw: ({ color, background }) =>
      rect(0, 0, 1160, height, 150, color) +
      rect(36, 36, 1088, height - 72, 116, background) +
      rect(420, 84, 320, 66, 33, color) +
      rect(430, screenBottom - 50, 300, 18, 9, color),
    caption: { x: 580, y: 1334, widthMax: 960, size: 120 },
  };
};

/**
 * A ticket's outline with a round bite out of both sides, at a height; `inset` from all edges. Both outlines share the middles
 * of their arcs, so that the border between them is even.
 */
const ticketOutline = (height: number, biteY: number, inset: number): string => {
  const [left, right, bottom] = [inset, 1160 - inset, height - inset];
  const [corner, bite] = [56 - inset, 44 + inset];
  // The middle of the bite lies on the ticket's own edge.
  const half = Math.round(Math.sqrt(bite ** 2 - inset ** 2) * 100) / 100;
  return [
    `M${left + corner} ${inset}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}`,
    `V${biteY - half}a${bite} ${bite} 0 0 0 0 ${2 * half}V${bottom - corner}`,
    `a${corner} ${corner} 0 0 1 ${-corner} ${corner}H${left + corner}a${corner} ${corner} 0 0 1 ${-corner} ${-corner}`,
    `V${biteY + half}a${bite} ${bite} 0 0 0 0 ${-2 * half}V${inset + corner}`,
    `a${corner} ${corner} 0 0 1 ${corner} ${-corner}z`,
  ].join('');
};

const dashes = (y: number): string =>
  Array.from({ length: 21 }, (_, index) => `M${104 + index * 46} ${y - 4}h32v8h-32z`).join('');

const ticket: MakeShape = (captioned) => {
  const height = captioned ? 1370 : 1240;
  return {
    width: 1160,
    height,
    code: { x: 80, y: 60 },
    draw: ({ color, background }) =>
      path(ticketOutline(height, 1130, 0), color) +
      path(ticketOutline(height, 1130, 18), background) +
      path(dashes(1130), color),
    caption: { x: 580, y: 1248, widthMax: 960, size: 128 },
  };
};

const bubble: MakeShape = (captioned) => {
  const top = captioned ? 290 : 0;
  return {
    width: 1080,
    height: top + 1080,
    code: { x: 40, y: top + 40 },
    draw: (inks) =>
      bordered([0, top, 1080, 1080], 84, 24, inks) +
      (captioned ? rect(0, 0, 1080, 210, 84, inks.color) + path('M456 200h168l-84 74z', inks.color) : ''),
    caption: { x: 540, y: 105, widthMax: 920, size: 120 },
  };
};

const ribbon: MakeShape = (captioned) => ({
  width: captioned ? 1240 : 1080,
  height: captioned ? 1330 : 1080,
  code: { x: captioned ? 120 : 40, y: 40 },
  draw: (inks) => {
    if (!captioned) return bordered([0, 0, 1080, 1080], 44, 22, inks);
    const tails = path('M0 1160h190v170h-190l62 -85zM1240 1160h-190v170h190l-62 -85z', inks.color);
    // The folds lie in the shadow of the band, the tails behind both.
    const folds = path('M80 1280h110v50zM1160 1280h-110v50z', '#000000');
    return (
      bordered([80, 0, 1080, 1210], 44, 22, inks) +
      tails +
      `<g fill-opacity="0.45">${folds}</g>` +
      rect(80, 1084, 1080, 196, 0, inks.color)
    );
  },
  caption: { x: 620, y: 1182, widthMax: 980, size: 116 },
});

export const frameShapes: Record<FrameStyle['id'], MakeShape> = {
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
