/** The captions below a code: their sizes and lines for a label's width. Lengths are in millimetres. */
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

export interface CaptionBlock {
  lines: readonly CodeLine[];
  /** PDF operators. Their y begins at the upper edge of the block, and their x in the middle of the label. */
  fixed: readonly { operators: string; top: number }[];
  height: number;
  /** The first caption without room. */
  refused?: { name: SheetCaption };
}

/** 4 points: smaller type is not legible in print. */
export const sizeMin = (4 * 25.4) / 72;
/** 9 points. */
const sizeMax = (9 * 25.4) / 72;
/** As a share of a label's height, between these limits. */
const sizeShare = 0.075;

/** From one line to the next, in ems: the ink of parentheses and descenders, and a little more. */
const lineHeight = codeFontMetrics.ascent + codeFontMetrics.descent + 0.1;

/** A caption is kept on one line down to this share of the preferred size. */
const oneLineShrinkMin = 0.8;

/**
 * A shortenable text is shortened before it gets smaller than this share of the preferred size: next to the others it
 * would look lost.
 */
const shortenedSizeShare = 0.75;

/** The size of an extra, as a share of the preferred size. */
const extraSizeShare = 0.75;

/** An extra that no font can draw is left out, too. */
const noneIfRefused = (error: unknown): undefined => {
  if (error instanceof ClientError && error.code === 'UNPROCESSABLE') return undefined;
  throw error;
};

export const preferredSize = (labelHeight: number): number =>
  Math.min(sizeMax, Math.max(sizeMin, labelHeight * sizeShare));

/** The size at which this many characters fill the width. */
const sizeFor = (characters: number, width: number): number => width / (characters * codeFontMetrics.advance);

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
  const charactersMax = Math.floor(width / (codeFontMetrics.advance * sizeMin));
  if (!mayBreak || charactersMax < 1) return undefined;
  return { slices: parts.flatMap((part) => cut(part, charactersMax)), size: sizeMin };
};

/** @param width of the available space, more than 0 */
export const setCaptions = async (
  captions: readonly CaptionText[],
  width: number,
  preferred: number,
  setFixedText: SetFixedText,
): Promise<CaptionBlock> => {
  const lines: CodeLine[] = [];
  const fixed: { operators: string; top: number }[] = [];
  let height = 0;
  let text = 0;
  for (const caption of captions) {
    const { name } = caption;
    if ('text' in caption) {
      const setting = setFixedText({
        text: caption.text,
        field: `layout.captions ${name}`,
        width,
        size: caption.isExtra ? Math.max(sizeMin, preferred * extraSizeShare) : preferred,
        sizeMin: caption.mayShorten ? Math.max(sizeMin, preferred * shortenedSizeShare) : sizeMin,
        linesMax: 2,
        mayShorten: caption.mayShorten,
      });
      const set = await (caption.isExtra ? setting.catch(noneIfRefused) : setting);
      if (!set) return { lines, fixed, height, refused: { name } };
      fixed.push({ operators: set.operators, top: height });
      height += set.height;
      continue;
    }
    const broken = breakLines(caption, width, preferred);
    if (!broken) return { lines, fixed, height, refused: { name } };
    for (const [from, to] of broken.slices) {
      lines.push({
        text,
        from,
        to,
        size: broken.size,
        baseline: height + codeFontMetrics.ascent * broken.size,
      });
      height += lineHeight * broken.size;
    }
    text++;
  }
  return { lines, fixed, height };
};
