/**
 * Label sheets on the market, by their makers' numbers. Measures are from the makers' templates, in millimetres (for
 * letter sheets, sixteenths of an inch); on all of them the grid is centred on the page.
 */

export interface LabelStock {
  page: 'A4' | 'letter';
  columns: number;
  rows: number;
  labelMm: { widthMm: number; heightMm: number };
  gapMm: { columns: number; rows: number };
}

const inchMm = 25.4;

const onA4 = (columns: number, rows: number, widthMm: number, heightMm: number): LabelStock => ({
  page: 'A4',
  columns,
  rows,
  labelMm: { widthMm, heightMm },
  gapMm: { columns: 2.5, rows: 0 },
});

/** @param width, height, gap in inches */
const onLetter = (
  columns: number,
  rows: number,
  [width, height, gap]: readonly [number, number, number],
): LabelStock => ({
  page: 'letter',
  columns,
  rows,
  labelMm: { widthMm: width * inchMm, heightMm: height * inchMm },
  gapMm: { columns: gap * inchMm, rows: 0 },
});

/** The `J` numbers, for inkjet printers, have the same measures as the `L` numbers. */
export const labelStocks = {
  L7159: onA4(3, 8, 63.5, 33.9),
  L7160: onA4(3, 7, 63.5, 38.1),
  L7161: onA4(3, 6, 63.5, 46.6),
  L7162: onA4(2, 8, 99.1, 33.9),
  L7163: onA4(2, 7, 99.1, 38.1),
  L7165: onA4(2, 4, 99.1, 67.7),
  L7636: onA4(4, 12, 45.7, 21.2),
  L7651: onA4(5, 13, 38.1, 21.2),
  5160: onLetter(3, 10, [2.625, 1, 0.125]),
  5163: onLetter(2, 5, [4, 2, 0.1875]),
  5167: onLetter(4, 20, [1.75, 0.5, 0.3125]),
} as const satisfies Record<string, LabelStock>;

export type LabelStockName = `${keyof typeof labelStocks}`;

export const labelStockNames = Object.keys(labelStocks) as LabelStockName[];
