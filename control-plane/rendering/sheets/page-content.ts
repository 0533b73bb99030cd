/** The content of a page: codes as filled rectangles, texts and crop marks, all in one ink. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { encodeMatrix } from '../symbol/matrix.ts';
import { formatNumber } from '../vector/numbers.ts';
import { codeFontMetrics, codeFontText } from './code-font.ts';
import { darkRectangles } from './dark-rectangles.ts';
import { type CodeLine, type PagePartTask, pointsPerMm, type SheetDesign, type SheetLabel } from './page.ts';

const compress = promisify(deflate);

/** The names of the font and of the fixed texts in a page's resources. */
export const codeFontName = 'Codes';
export const fixedTextName = 'Fixed';

/** Black of DeviceCMYK, for fills and strokes: a press prints it in one ink. */
const oneInk = '0 0 0 1 k 0 0 0 1 K';
/** Crop marks are a quarter of a point wide, in millimetres. */
const markWidth = 0.088;
/** The line of text below the crop marks, from the lower edge of the slug. */
const note = { size: 2, baseline: 1.2 };

/** To a ten-thousandth of a millimetre. */
const mm = (value: number): string => formatNumber(value, 4);

/** A module's side needs more precision: it is multiplied by the modules of a symbol. */
const scale = (value: number): string => value.toFixed(6);

const drawCode = ({ label }: SheetDesign, payload: string): string => {
  const { level, version } = label.symbol;
  const rectangles = darkRectangles(encodeMatrix(payload, level, { version }))
    .map(({ column, row, width, height }) => `${column} ${row} ${width} ${height} re`)
    .join('\n');
  const side = scale(label.module);
  return `q ${side} 0 0 ${side} ${mm(label.x)} ${mm(label.y)} cm\n${rectangles}\nf Q`;
};

/** @param middle where the text is centred */
const drawText = (text: string, size: number, middle: number, baseline: number): string => {
  const left = middle - (text.length * codeFontMetrics.advance * size) / 2;
  // The page's y runs downwards, and glyphs must not be upside down.
  return `BT /${codeFontName} ${mm(size)} Tf 1 0 0 -1 ${mm(left)} ${mm(baseline)} Tm <${codeFontText(text)}> Tj ET`;
};

const drawLabel = (design: SheetDesign, label: SheetLabel, place: readonly [number, number]): string => {
  const { lines, fixed } = design.label;
  const drawLine = ({ text, from, to, size, baseline, middle = design.label.middle }: CodeLine) =>
    drawText(label.texts[text]!.slice(from, to), size, middle, baseline);
  return [
    `q 1 0 0 1 ${mm(place[0])} ${mm(place[1])} cm`,
    drawCode(design, label.payload),
    ...lines.map(drawLine),
    ...(fixed.length === 0 ? [] : [`/${fixedTextName} Do`]),
    'Q',
  ].join('\n');
};

const drawMarks = ({ marks, width, height, slug }: SheetDesign, text: string): string[] => {
  if (slug === 0) return [];
  const strokes = marks.map(([x1, y1, x2, y2]) => `${mm(x1)} ${mm(y1)} m ${mm(x2)} ${mm(y2)} l S`);
  const size = Math.min(note.size, (width + slug) / (text.length * codeFontMetrics.advance));
  return [`${mm(markWidth)} w`, ...strokes, drawText(text, size, width / 2, height + slug - note.baseline)];
};

/**
 * @returns operators, deflated, for a page whose coordinates are points from its upper left corner
 * @throws {ClientError} UNPROCESSABLE if a payload does not fit the design's symbol
 */
export const pagePart = async ({ design, first, labels, note: text }: PagePartTask): Promise<Buffer> => {
  const toMm = `${scale(pointsPerMm)} 0 0 ${scale(pointsPerMm)}`;
  const origin = mm(design.slug * pointsPerMm);
  const operators = [
    `q ${toMm} ${origin} ${origin} cm ${oneInk}`,
    ...labels.map((label, index) => drawLabel(design, label, design.places[first + index]!)),
    ...(text === undefined ? [] : drawMarks(design, text)),
    'Q\n',
  ];
  return compress(operators.join('\n'));
};
