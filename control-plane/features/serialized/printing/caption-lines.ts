/** The captions of a code: their sizes and lines for the width that they have. Lengths are in millimetres. */
import type { SheetCaption } from '#schemas/api/serialized-sheets.ts';
import { ClientError } from '#shared/errors.ts';
import { type CodeLine, codeFontMetrics, type SetText, type TextTask } from '../../../rendering/index.ts';

/** The text of a caption. */
export type CaptionText =
  /** A different text for each item, of the same length, in parts. */
  | { name: SheetCaption; partLengths: readonly number[]; mayBreak: boolean }
  /** The same text for all items. @property isExtra it is small, and left out if there is no room for it */
  | { name: SheetCaption; text: string; mayShorten: boolean; isExtra?: boolean };

/** Sets a text that is the same on all labels. */
export type SetFixedText = (task: TextTask) => Promise<SetText | undefined>;

/** How captions are set. */
export interface CaptionStyle {
  /** The preferred size of all but the name and extras. */
  size: number;
  /** As shares of it. */
  nameShare: number;
  extraShare: number;
  /** Of a text that is the same on all labels. */
  linesMax: number;
  /** Between two captions. */
  gap: number;
  align: TextTask['align'];
}

export interface CaptionBlock {
  /** Their x is the distance of the line's middle from where the block is aligned; y begins at its upper edge. */
  lines: readonly (CodeLine & { middle: number })[];
  /** PDF operators, of the same coordinates. */
  fixed: readonly { operators: string; top: number }[];
  /** With the space to a next caption. */
  height: number;
  /** That space: there is no ink in it. */
  below: number;
  /** No text is shortened or broken within a word. */
  isWhole: boolean;
  /** The first caption without room. */
  refused?: { name: SheetCaption };
}

/** No captions at all. */
export const noCaptions: CaptionBlock = { lines: [], fixed: [], height: 0, below: 0, isWhole: true };

/** 4 points: smaller type is not legible in print. */
export const sizeMin = (4 * 25.4) / 72;
/** From one line to the next, in ems: the ink of parentheses and descenders, and a little more. */
const leading = 0.1;
const lineHeight = codeFontMetrics.ascent + codeFontMetrics.descent + leading;

/** A caption is kept on one line down to this share of the preferred size. */
const oneLineShrinkMin = 0.8;

/**
 * A shortenable text is shortened before it gets smaller than this share of the preferred size: next to the others it
 * would look lost.
 */
const shortenedSizeShare = 0.75;

/** An extra that no font can draw is left out, too. */
const noneIfRefused = (error: unknown): undefined => {
  if (error instanceof ClientError && error.code === 'UNPROCESSABLE') return undefined;
  throw error;
};

const widthOf = (characters: number, size: number): number => characters * codeFontMetrics.advance * size;

/** The size at which this many characters fill the width. */
const sizeFor = (characters: number, width: number): number => width / widthOf(characters, 1);

/** The width of the longest part that must stay on one line; 0 without such a part. */
export const unbreakableWidth = (captions: readonly CaptionText[], size: number): number =>
  widthOf(
    Math.max(
      0,
      ...captions.flatMap((each) => ('partLengths' in each && !each.mayBreak ? each.partLengths : [])),
    ),
    size,
  );

/** A part of a text: its start and its end. */
type Slice = readonly [from: number, to: number];

const slicesOf = (lengths: readonly number[]): Slice[] => {
  const slices: Slice[] = [];
  for (const length of lengths) {
    const from = slices.at(-1)?.[1] ?? 0;
    slices.push([from, from + length]);
  }
  return slices;
};

/** Cuts a part into equal lines of at most this many characters. */
const cut = ([from, to]: Slice, charactersMax: number): Slice[] => {
  const count = Math.ceil((to - from) / charactersMax);
  const length = Math.ceil((to - from) / count);
  return Array.from({ length: count }, (_, index) => [
    from + index * length,
    Math.min(to, from + (index + 1) * length),
  ]);
};

/** @returns undefined if there is no room for an unbreakable part, or not even for one character */
const breakLines = (
  { partLengths, mayBreak }: { partLengths: readonly number[]; mayBreak: boolean },
  width: number,
  preferred: number,
): { slices: Slice[]; size: number } | undefined => {
  const whole = partLengths.reduce((sum, length) => sum + length, 0);
  const onOneLine = Math.min(preferred, sizeFor(whole, width));
  if (onOneLine >= Math.max(sizeMin, preferred * oneLineShrinkMin))
    return { slices: [[0, whole]], size: onOneLine };
  const parts = slicesOf(partLengths);
  const byPart = Math.min(preferred, sizeFor(Math.max(...partLengths), width));
  if (byPart >= sizeMin) return { slices: parts, size: byPart };
  const charactersMax = Math.floor(width / widthOf(1, sizeMin));
  if (!mayBreak || charactersMax < 1) return undefined;
  return { slices: parts.flatMap((part) => cut(part, charactersMax)), size: sizeMin };
};

/** @returns undefined if it has no room */
const setFixed = async (
  caption: Extract<CaptionText, { text: string }>,
  width: number,
  { size, nameShare, extraShare, linesMax, align }: CaptionStyle,
  setFixedText: SetFixedText,
): Promise<SetText | undefined> => {
  const { text, name, mayShorten, isExtra } = caption;
  const share = isExtra ? extraShare : name === 'productName' ? nameShare : 1;
  const setting = setFixedText({
    text,
    field: `layout.captions ${name}`,
    width,
    size: Math.max(sizeMin, size * share),
    sizeMin: mayShorten ? Math.max(sizeMin, size * shortenedSizeShare) : sizeMin,
    linesMax,
    mayShorten,
    align,
  });
  return isExtra ? setting.catch(noneIfRefused) : setting;
};

/** From where a line is aligned to its middle, in widths of the line. */
const middleFrom = { left: 1 / 2, middle: 0, right: -1 / 2 } as const;

/** @param width of the available space, more than 0 */
export const setCaptions = async (
  captions: readonly CaptionText[],
  width: number,
  style: CaptionStyle,
  setFixedText: SetFixedText,
): Promise<CaptionBlock> => {
  const lines: (CodeLine & { middle: number })[] = [];
  const fixed: { operators: string; top: number }[] = [];
  let [height, below, isWhole, text] = [0, 0, true, 0];
  const block = (): CaptionBlock => ({ lines, fixed, height, below, isWhole });
  for (const caption of captions) {
    const { name } = caption;
    if (height > 0) height += style.gap;
    if ('text' in caption) {
      const set = await setFixed(caption, width, style, setFixedText);
      if (!set) return { ...block(), refused: { name } };
      fixed.push({ operators: set.operators, top: height });
      height += set.height;
      below = set.below;
      isWhole &&= set.isWhole;
      continue;
    }
    const broken = breakLines(caption, width, style.size);
    if (!broken) return { ...block(), refused: { name } };
    const { size } = broken;
    for (const [from, to] of broken.slices) {
      const middle = middleFrom[style.align] * widthOf(to - from, size);
      lines.push({ text, from, to, size, baseline: height + codeFontMetrics.ascent * size, middle });
      height += lineHeight * size;
    }
    below = leading * size;
    text++;
  }
  return block();
};
