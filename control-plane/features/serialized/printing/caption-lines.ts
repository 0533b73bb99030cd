/** The captions below a code: their sizes and lines in the width of a label. Lengths are in millimetres. */
import type { SheetCaption } from '#schemas/api/serialized-sheets.ts';
import { ClientError } from '#shared/errors.ts';
import { type CodeLine, codeFontMetrics, type SetText, type TextTask } from '../../../rendering/index.ts';

/** What a caption says. */
export type CaptionText =
  /** Another text for each item, of the same length, in parts. */
  | { name: SheetCaption; partLengths: readonly number[]; mayBreak: boolean }
  /** The same text for all items. @property isExtra it is small, and left out where there is no room for it */
  | { name: SheetCaption; text: string; mayShorten: boolean; isExtra?: boolean };

/** Sets a text that all labels have. */
export type SetFixedText = (task: TextTask) => Promise<SetText | undefined>;

export interface CaptionBlock {
  lines: readonly CodeLine[];
  /** Operators of PDF. Their y begins at the upper edge of the block, and x in the middle of the label. */
  fixed: readonly { operators: string; top: number }[];
  height: number;
  /** The first caption that has no room. */
  refused?: { name: SheetCaption };
}

/** 4 points: smaller type is not legible in print. */
export const sizeMin = (4 * 25.4) / 72;
/** 9 points. */
const sizeMax = (9 * 25.4) / 72;
/** Of a label's height, between these. */
const sizeShare = 0.075;

/** From one line to the next, in ems: the ink of parentheses and descenders, and a little more. */
const lineHeight = codeFontMetrics.ascent + codeFontMetrics.descent + 0.1;

/** A caption is set on one line down to this part of the preferred size. */
const oneLineShrinkMin = 0.8;

/** A text that may be shortened is, before it is smaller than this part of the preferred size: beside the others it would look lost. */
const shortenedSizeShare = 0.75;

/** The size of an extra, as a part of the preferred one. */
const extraSizeShare = 0.75;

/** An extra that no font can draw has no room either. */
const noneIfRefused = (error: unknown): undefined => {
  if (error instanceof ClientError && error.code === 'UNPROCESSABLE') return undefined;
  throw error;
};

export const preferredSize = (labelHeight: number): number =>
  Math.min(sizeMax, Math.max(sizeMin, labelHeight * sizeShare));

/** The size in which so many characters are as wide as the space. */
const sizeFor = (characters: number, width: number): number => width / (characters * codeFontMetrics.advance);

/** Parts of a text: where each begins and ends. */
type Slice = readonly [from: number, to: number];

const slicesOf = (lengths: readonly number[]): Slice[] => {
  const slices: Slice[] = [];
  for (const length of lengths) {
    const from = slices.at(-1)?.[1] ?? 0;
    slices.push([from, from + length]);
  }
  return slices;
};

/** Cuts a part into equal lines of at most so many characters. */
const cut = ([from, to]: Slice, charactersMax: number): Slice[] => {
  const count = Math.ceil((to - from) / charactersMax);
  const length = Math.ceil((to - from) / count);
  return Array.from({ length: count }, (_, index) => [
    from + index * length,
    Math.min(to, from + (index + 1) * length),
  ]);
};

/** @returns undefined where there is no room for a part that may not be broken, or not even for one character */
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

/** @param width of the space, more than 0 */
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
