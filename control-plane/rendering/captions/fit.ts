/** How large a caption can be in its room, and on how many lines. */
import type { Caption } from './index.ts';
import type { Outline } from './outline.ts';

/** In units of which a code's side has 1,000. */
export interface Room {
  width: number;
  height: number;
  /** The size at which a caption begins to shrink. */
  size: number;
}

export interface FittedCaption {
  lines: readonly Outline[];
  size: number;
}

/**
 * Capitals below this are not legible: one eighteenth of the code’s side, which is 11 pixels on a picture of 256 and two millimetres
 * on a code of four centimetres. What would be smaller on one line is set on two.
 */
export const capHeightMin = 56;

/** From one line to the next, of the size; more where letters would touch. */
const leading = 1.16;
const clearance = 0.12;

/** What capitals are high, or, where there are none, the ink: what is to lie in the middle. */
const topOf = (line: Outline): number => (line.hasCapitals ? line.capHeight : line.ascent);
const bottomOf = (line: Outline): number => (line.hasCapitals ? 0 : line.descent);

const stepOf = (lines: readonly Outline[]): number => {
  const [first, second] = lines;
  return first && second ? Math.max(leading, first.descent + second.ascent + clearance) : 0;
};

/** In ems, marks over and under the letters included. */
const inkHeightOf = (lines: readonly Outline[]): number =>
  lines[0]!.ascent + stepOf(lines) + lines.at(-1)!.descent;

const sizeIn = (lines: readonly Outline[], room: Room): number =>
  Math.min(
    room.size,
    room.width / Math.max(...lines.map(({ width }) => width)),
    room.height / inkHeightOf(lines),
  );

/** The first setting that is legible, or else the largest. @param rooms for one line, and for two */
export const fitCaption = ({ settings }: Caption, rooms: readonly [Room, Room]): FittedCaption => {
  let largest: FittedCaption | undefined;
  for (const lines of settings) {
    const fitted = { lines, size: sizeIn(lines, rooms[lines.length === 1 ? 0 : 1]) };
    if (fitted.size * lines[0]!.capHeight >= capHeightMin) return fitted;
    if (!largest || fitted.size > largest.size) largest = fitted;
  }
  return largest!;
};

/** Path data. @param x its middle @param y the middle of its capitals, of both lines together */
export const drawCaption = ({ lines, size }: FittedCaption, x: number, y: number): string => {
  const step = stepOf(lines);
  const [top, bottom] = [topOf(lines[0]!), bottomOf(lines.at(-1)!)];
  const first = y + ((top - bottom - step * (lines.length - 1)) / 2) * size;
  return lines
    .map((line, index) => line.draw(x - (line.width * size) / 2, first + index * step * size, size))
    .join('');
};
