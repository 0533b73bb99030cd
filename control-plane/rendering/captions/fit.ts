/** Fits a caption into its box: its size, and the number of its lines. */
import type { Caption } from './caption.ts';
import type { TextOutline } from './text-outline.ts';

/** The space for a caption, in thousandths of a code's side. */
export interface CaptionBox {
  width: number;
  height: number;
  /** The largest size of a caption. */
  size: number;
}

export interface FittedCaption {
  lines: readonly TextOutline[];
  size: number;
}

/**
 * The minimum height of legible capitals: one eighteenth of the code’s side, which is 11 pixels in a picture of 256 and
 * two millimetres on a code of four centimetres. A caption that would be smaller on one line is set on two.
 */
export const capHeightMin = 56;

/** Distance of baselines, in ems; more if letters would touch. */
const leading = 1.16;
const clearance = 0.12;

/** The extent to centre: the capitals or, without capitals, the ink. */
const topOf = (line: TextOutline): number => (line.hasCapitals ? line.capHeight : line.ascent);
const bottomOf = (line: TextOutline): number => (line.hasCapitals ? 0 : line.descent);

const stepOf = (lines: readonly TextOutline[]): number => {
  const [first, second] = lines;
  return first && second ? Math.max(leading, first.descent + second.ascent + clearance) : 0;
};

/** In ems, including marks above and below the letters. */
const inkHeightOf = (lines: readonly TextOutline[]): number =>
  lines[0]!.ascent + stepOf(lines) + lines.at(-1)!.descent;

const sizeIn = (lines: readonly TextOutline[], box: CaptionBox): number =>
  Math.min(
    box.size,
    box.width / Math.max(...lines.map(({ width }) => width)),
    box.height / inkHeightOf(lines),
  );

/** The first legible setting, else the largest. @param boxes for one line and for two */
export const fitCaption = (
  { settings }: Caption,
  boxes: readonly [CaptionBox, CaptionBox],
): FittedCaption => {
  let largest: FittedCaption | undefined;
  for (const lines of settings) {
    const fitted = { lines, size: sizeIn(lines, boxes[lines.length === 1 ? 0 : 1]) };
    if (fitted.size * lines[0]!.capHeight >= capHeightMin) return fitted;
    if (!largest || fitted.size > largest.size) largest = fitted;
  }
  return largest!;
};

/** Path data. @param x the middle @param y the middle of the capitals, of both lines together */
export const drawCaption = ({ lines, size }: FittedCaption, x: number, y: number): string => {
  const step = stepOf(lines);
  const [top, bottom] = [topOf(lines[0]!), bottomOf(lines.at(-1)!)];
  const first = y + ((top - bottom - step * (lines.length - 1)) / 2) * size;
  return lines
    .map((line, index) => line.draw(x - (line.width * size) / 2, first + index * step * size, size))
    .join('');
};
