/**
 * A text that is the same on all labels of a sheet, set in its space as outlines: on one line while that is near the
 * preferred size, then on two lines, then smaller; and shortened by an ellipsis if allowed.
 */
import { breaksOf } from '../captions/breaks.ts';
import { chooseFaces, clustersOf } from '../captions/faces.ts';
import { outlineLine, type TextOutline } from '../captions/text-outline.ts';
import { outlineOperators } from './outline-operators.ts';

/** Lengths are in millimetres. */
export interface TextTask {
  text: string;
  /** Names the text in a refusal. */
  field: string;
  width: number;
  /** The preferred size, and the minimum. */
  size: number;
  sizeMin: number;
  linesMax: 1 | 2;
  mayShorten: boolean;
}

export interface SetText {
  /** Outlines in millimetres, y downwards: the middle of the first line's top is at 0, 0. */
  operators: string;
  height: number;
  /** The lines as set. */
  lines: readonly string[];
}

const ellipsis = '…';
/** A single line shrinks to this share of the preferred size before it becomes two. */
const oneLineShrinkMin = 0.8;
/** From one line's ink to the next one's, in ems. */
const leading = 0.25;
/** Outlines are drawn in hundredths of a millimetre, since their coordinates have two decimals. */
const unit = 0.01;

interface Line extends TextOutline {
  text: string;
}

const outline = async (text: string, field: string): Promise<Line> => {
  const set = await outlineLine(text, await chooseFaces(text, 'sans', field));
  return { ...set, text };
};

/** The last index up to which the condition holds for all; -1 if it never holds. */
const lastWhere = async (count: number, holds: (index: number) => Promise<boolean>): Promise<number> => {
  let [low, high] = [-1, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

const shortened = async (text: string, field: string, ems: number): Promise<Line | undefined> => {
  const clusters = clustersOf(text);
  const upTo = (count: number) =>
    outline(clusters.slice(0, count).join('').trimEnd().concat(ellipsis), field);
  const last = await lastWhere(clusters.length, async (index) => (await upTo(index + 1)).width <= ems);
  return last < 0 ? undefined : upTo(last + 1);
};

/** The longest first line at each kind of break, with the rest for the second line. */
const firstLines = async (text: string, field: string, ems: number): Promise<[Line, string][]> => {
  const found: [Line, string][] = [];
  for (const halves of breaksOf(text)) {
    const last = await lastWhere(
      halves.length,
      async (index) => (await outline(halves[index]![0], field)).width <= ems,
    );
    const best = halves[last];
    if (best) found.push([await outline(best[0], field), best[1]]);
  }
  return found;
};

/** The whole text on two lines. @param ems the width of a line @returns undefined if it is too long */
const onTwoLines = async ({ text, field }: TextTask, ems: number): Promise<Line[] | undefined> => {
  for (const [first, rest] of await firstLines(text, field, ems)) {
    const second = await outline(rest, field);
    if (second.width <= ems) return [first, second];
  }
  return undefined;
};

const shortenedLines = async (
  { text, field, linesMax }: TextTask,
  ems: number,
): Promise<Line[] | undefined> => {
  const [found] = linesMax === 2 ? await firstLines(text, field, ems) : [];
  const last = await shortened(found ? found[1] : text, field, ems);
  return last && (found ? [found[0], last] : [last]);
};

interface Fitted {
  lines: readonly Line[];
  size: number;
}

const fitText = async (task: TextTask): Promise<Fitted | undefined> => {
  const { text, field, width, size, sizeMin, linesMax, mayShorten } = task;
  const whole = await outline(text, field);
  const onOneLine = Math.min(size, width / whole.width);
  const least = linesMax === 1 ? sizeMin : Math.max(sizeMin, size * oneLineShrinkMin);
  if (onOneLine >= least) return { lines: [whole], size: onOneLine };
  for (const each of linesMax === 2 ? [size, (size + sizeMin) / 2, sizeMin] : []) {
    const lines = await onTwoLines(task, width / each);
    if (lines) return { lines, size: each };
  }
  const lines = mayShorten ? await shortenedLines(task, width / sizeMin) : undefined;
  return lines && { lines, size: sizeMin };
};

const drawLines = ({ lines, size }: Fitted): SetText => {
  const written: string[] = [];
  let top = 0;
  for (const line of lines) {
    const ascent = Math.max(line.ascent, line.capHeight);
    const path = line.draw((-line.width * size) / 2 / unit, (top + ascent * size) / unit, size / unit);
    written.push(outlineOperators(path, unit));
    top += (ascent + line.descent + leading) * size;
  }
  return { operators: written.join('\n'), height: top, lines: lines.map(({ text }) => text) };
};

/**
 * @returns undefined if there is no room for the text, or for a single character of a text that may be shortened
 * @throws {ClientError} UNPROCESSABLE naming the field and the characters that no font has
 */
export const setText = async (task: TextTask): Promise<SetText | undefined> => {
  const text = task.text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const fitted = await fitText({ ...task, text });
  return fitted && drawLines(fitted);
};
