/**
 * The captions beside the code, on labels that are wider than high: the code is as high as the label, and the text takes
 * what is left. It begins at the code: on its right, or on its left if the product's name is read from right to left.
 * Lengths are in millimetres.
 */
import { beginsAtRight, codeFontMetrics, type SheetSymbol } from '../../../rendering/index.ts';
import {
  type CaptionBlock,
  type CaptionStyle,
  type CaptionText,
  noCaptions,
  type SetFixedText,
  setCaptions,
  sizeMin,
  unbreakableWidth,
} from './caption-lines.ts';
import type { Grid } from './grid.ts';
import { type Arranged, insetOf, quietModules, sizeBelow, textSizeMax } from './label-space.ts';

/** The name in 11 points where the rest is in 9. */
const style = { nameShare: 11 / 9, extraShare: 0.85 } as const;

/** The text is at least as wide as the 12 characters of an id in the size that it would have below the code. */
const widthMinEms = 12 * codeFontMetrics.advance;
/** 5 points: the code is smaller rather than the elements of a GS1 text. */
const unbreakableSize = (5 * 25.4) / 72;
/** Of a label's height: on labels higher than 51 mm, text is larger than 9 points. */
const sizeShare = 1 / 16;
/** From a size to the next smaller one that is tried. */
const shrink = 0.9;
/** 6 points: down to it, type is smaller so that no text need be shortened or broken within a word. */
const wholeSizeMin = (6 * 25.4) / 72;
/** From one line of a text to the next, in ems: about, since it depends on the letters. */
const lineEms = 1.1;
/** Between two captions, in ems. */
const gapEms = 0.45;

/** Lines of one text: they fill at most half the height of the code, or are two. */
const linesFor = (codeHeight: number, size: number): number =>
  Math.max(2, Math.floor((0.5 * codeHeight) / (lineEms * size)));

const sizesFor = (labelHeight: number): number[] => {
  const sizes: number[] = [];
  const first = Math.max(textSizeMax, labelHeight * sizeShare);
  for (let size = first; size > sizeMin; size *= shrink) sizes.push(size);
  return [...sizes, sizeMin];
};

/** The text from the top, and at the foot what a buyer compares with the address bar. */
interface Column {
  body: CaptionBlock;
  foot: CaptionBlock;
  height: number;
}

const setColumn = async (
  captions: readonly CaptionText[],
  width: number,
  how: Pick<CaptionStyle, 'size' | 'gap' | 'align' | 'linesMax'>,
  setFixedText: SetFixedText,
): Promise<Column> => {
  const set = async (some: readonly CaptionText[]) =>
    some.length === 0 ? noCaptions : setCaptions(some, width, { ...style, ...how }, setFixedText);
  const last = captions.at(-1)!;
  const hasFoot = 'isExtra' in last && last.isExtra === true;
  const body = await set(hasFoot ? captions.slice(0, -1) : captions);
  const foot = hasFoot && !body.refused ? await set([last]) : noCaptions;
  const height = hasFoot ? body.height + how.gap + foot.height - foot.below : body.height - body.below;
  return { body, foot, height };
};

/** In the largest type with room. @param heights of the code, and of the label without its edges */
const fitColumn = async (
  captions: readonly CaptionText[],
  width: number,
  { code, label, align }: { code: number; label: number; align: CaptionStyle['align'] },
  setFixedText: SetFixedText,
): Promise<Column | undefined> => {
  let broken: Column | undefined;
  for (const size of sizesFor(label)) {
    if (broken && size < wholeSizeMin) break;
    const isSmallest = size === sizeMin;
    const gap = isSmallest ? 0 : gapEms * size;
    const linesMax = linesFor(code, size);
    const column = await setColumn(captions, width, { size, gap, align, linesMax }, setFixedText);
    const { body, foot, height } = column;
    if (body.refused || foot.refused || height > (isSmallest ? label : code)) continue;
    if (body.isWhole && foot.isWhole) return column;
    broken ??= column;
  }
  return broken;
};

const mirrors = (captions: readonly CaptionText[]): boolean =>
  captions.some((each) => each.name === 'productName' && 'text' in each && beginsAtRight(each.text));

/** @returns undefined if there is no room for the captions beside the code */
export const arrangeBeside = async (
  label: Grid['label'],
  symbol: SheetSymbol,
  captions: readonly CaptionText[],
  setFixedText: SetFixedText,
): Promise<Arranged | undefined> => {
  const edge = insetOf(label);
  const widthMin = Math.max(
    widthMinEms * sizeBelow(label.height),
    unbreakableWidth(captions, unbreakableSize),
  );
  const width = Math.max(widthMin, label.width - label.height - 2 * edge);
  const side = label.width - width - 2 * edge;
  if (captions.length === 0 || side <= 0) return undefined;
  const module = side / (symbol.size + 2 * quietModules);
  const isMirrored = mirrors(captions);
  const column = await fitColumn(
    captions,
    width,
    { code: symbol.size * module, label: label.height - 2 * edge, align: isMirrored ? 'right' : 'left' },
    setFixedText,
  );
  if (!column) return undefined;
  const { body, foot, height } = column;
  // From the upper edge of the code to its lower edge, or in the middle of a label on which it needs more.
  const space = Math.max(height, symbol.size * module);
  const top = (label.height - space) / 2;
  const footTop = top + space - (foot.height - foot.below);
  // Left and right of the text are an edge of the label and an edge of the quiet zone.
  const start = isMirrored ? edge + width : side + edge;
  const codeLeft = isMirrored ? label.width - side : 0;
  return {
    design: {
      symbol: { level: symbol.level, version: symbol.version },
      x: codeLeft + quietModules * module,
      y: (label.height - side) / 2 + quietModules * module,
      module,
      middle: start + ((isMirrored ? -1 : 1) * width) / 2,
      lines: body.lines.map((line) => ({
        ...line,
        baseline: top + line.baseline,
        middle: start + line.middle,
      })),
      fixed: [
        ...body.fixed.map(({ operators, top: y }) => ({ operators, x: start, y: top + y })),
        ...foot.fixed.map(({ operators, top: y }) => ({ operators, x: start, y: footTop + y })),
      ],
    },
    bound: side < label.height - 1e-9 ? 'width' : 'height',
    refused: undefined,
  };
};
