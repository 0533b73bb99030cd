/**
 * A text that is the same on all labels of a sheet, set in its space as outlines: on one line while that is near the
 * preferred size, then on more lines, then smaller; and shortened by an ellipsis if allowed.
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
  linesMax: number;
  mayShorten: boolean;
  /** The part of each line that is at the same x. */
  align: 'left' | 'middle' | 'right';
}

export interface SetText {
  /** Outlines in millimetres, y downwards. The aligned part of each line is at x = 0, and the first line's top at y = 0. */
  operators: string;
  /** With the space to a next line. */
  height: number;
  /** That space: there is no ink in it. */
  below: number;
  /** Neither shortened nor broken within a word. */
  isWhole: boolean;
  /** The lines as set. */
  lines: readonly string[];
}

const ellipsis = '…';
/** A single line shrinks to this share of the preferred size before it becomes two. */
const oneLineShrinkMin = 0.8;
/** A text with more lines is in smaller type. */
const fullSizeLinesMax = 2;
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

/** Outlines of texts: they are the same in any size, and several sizes are tried. */
type Outliner = (text: string) => Promise<Line>;

const createOutliner = (field: string): Outliner => {
  const known = new Map<string, Promise<Line>>();
  return (text) => {
    const line = known.get(text) ?? outline(text, field);
    known.set(text, line);
    return line;
  };
};

const shortened = async (text: string, ems: number, outlineOf: Outliner): Promise<Line | undefined> => {
  const clusters = clustersOf(text);
  const upTo = (count: number) => outlineOf(clusters.slice(0, count).join('').trimEnd().concat(ellipsis));
  const last = await lastWhere(clusters.length, async (index) => (await upTo(index + 1)).width <= ems);
  return last < 0 ? undefined : upTo(last + 1);
};

/**
 * Where lines are broken: between words; between words, but within one that is wider than a line; anywhere, so that as
 * much as possible is on each line.
 */
type Breaking = 'words' | 'wordsFirst' | 'anywhere';
const breakings: readonly Breaking[] = ['words', 'wordsFirst', 'anywhere'];

/** In ems: a text in the size at which it fills its line must fit. */
const rounding = 1e-9;

/** A space where a line is broken is not set: in ems, more than its width. */
const spaceMax = 0.5;

/** The longest first line, and the rest. */
const firstLine = async (
  text: string,
  ems: number,
  breaking: Breaking,
  outlineOf: Outliner,
): Promise<[Line, string] | undefined> => {
  const [spaces = [], words = [], anywhere = []] = breaksOf(text);
  const kinds = {
    words: [spaces, words],
    wordsFirst: [spaces, words, anywhere],
    anywhere: [anywhere],
  }[breaking];
  for (const halves of kinds) {
    const last = await lastWhere(
      halves.length,
      async (index) => (await outlineOf(halves[index]![0])).width <= ems,
    );
    const best = halves[last];
    if (best) return [await outlineOf(best[0]), best[1]];
  }
  return undefined;
};

/**
 * The whole text on some lines, each as long as possible.
 * @param ems the width of a line
 * @param cutsLast whether the last line is shortened if the text is too long
 * @returns undefined if it is too long, or there is no room for a character
 */
const onLines = async (
  text: string,
  {
    ems,
    linesMax,
    breaking,
    cutsLast,
  }: { ems: number; linesMax: number; breaking: Breaking; cutsLast: boolean },
  outlineOf: Outliner,
): Promise<Line[] | undefined> => {
  const lines: Line[] = [];
  let rest = text;
  const needsMore = (await outlineOf(text)).width > linesMax * (ems + spaceMax);
  if (needsMore && !cutsLast) return undefined;
  while (lines.length < linesMax) {
    const whole = await outlineOf(rest);
    if (whole.width <= ems + rounding) return [...lines, whole];
    const broken = lines.length < linesMax - 1 ? await firstLine(rest, ems, breaking, outlineOf) : undefined;
    if (!broken) break;
    lines.push(broken[0]);
    rest = broken[1];
  }
  const last = cutsLast ? await shortened(rest, ems, outlineOf) : undefined;
  return last && [...lines, last];
};

interface Fitted {
  lines: readonly Line[];
  size: number;
  isWhole: boolean;
}

/** The largest first. @param onOneLine the size at which the text fills one line */
const sizesOf = ({ size, sizeMin, linesMax }: TextTask, onOneLine: number): number[] =>
  linesMax === 1
    ? []
    : [size, (size + sizeMin) / 2, onOneLine, sizeMin]
        .filter((each) => each >= sizeMin)
        .sort((a, b) => b - a);

const fitText = async (task: TextTask): Promise<Fitted | undefined> => {
  const { text, field, width, size, sizeMin, linesMax, mayShorten } = task;
  const outlineOf = createOutliner(field);
  const onOneLine = Math.min(size, width / (await outlineOf(text)).width);
  const least = linesMax === 1 ? sizeMin : Math.max(sizeMin, size * oneLineShrinkMin);
  if (onOneLine >= least) return { lines: [await outlineOf(text)], size: onOneLine, isWhole: true };
  const set = async (each: number, breaking: Breaking, cutsLast: boolean) => {
    const most = each === size && sizeMin < size ? Math.min(linesMax, fullSizeLinesMax) : linesMax;
    const how = { ems: width / each, linesMax: most, breaking, cutsLast };
    const lines = await onLines(text, how, outlineOf);
    return lines && { lines, size: each, isWhole: breaking === 'words' };
  };
  // Smaller type is better than a broken word.
  for (const breaking of breakings) {
    for (const each of sizesOf(task, onOneLine)) {
      const fitted = await set(each, breaking, false);
      if (fitted) return fitted;
    }
  }
  return mayShorten ? set(sizeMin, 'wordsFirst', true) : undefined;
};

/** The left end of a line of this width. */
const leftEnd = { left: 0, middle: -1 / 2, right: -1 } as const;

/** From baseline to baseline it is the same for all lines, whatever letters they have. */
const drawLines = ({ lines, size, isWhole }: Fitted, align: TextTask['align']): SetText => {
  const ascents = lines.map(({ ascent, capHeight }) => Math.max(ascent, capHeight));
  const step = Math.max(...ascents) + Math.max(...lines.map(({ descent }) => descent)) + leading;
  const written = lines.map((line, index) => {
    const left = leftEnd[align] * line.width * size;
    const baseline = (ascents[0]! + index * step) * size;
    return outlineOperators(line.draw(left / unit, baseline / unit, size / unit), unit);
  });
  return {
    operators: written.join('\n'),
    height: (ascents[0]! + (lines.length - 1) * step + lines.at(-1)!.descent + leading) * size,
    below: leading * size,
    isWhole,
    lines: lines.map(({ text }) => text),
  };
};

/**
 * @returns undefined if there is no room for the text, or for a single character of a text that may be shortened
 * @throws {ClientError} UNPROCESSABLE naming the field and the characters that no font has
 */
export const setText = async (task: TextTask): Promise<SetText | undefined> => {
  const text = task.text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const fitted = await fitText({ ...task, text });
  return fitted && drawLines(fitted, task.align);
};
