/**
 * The positions of the labels on a page. Lengths are in millimetres, from the upper left corner of the trimmed page.
 */
import { labelStocks } from '#schemas/api/label-stocks.ts';
import { pageSizes, type SheetLayout } from '#schemas/api/serialized-sheets.ts';

export interface Grid {
  /** The page. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** The sides of a label; 0 or less if margins and gaps leave no room. */
  label: { width: number; height: number };
  /** Of the first label. */
  left: number;
  top: number;
  gap: { columns: number; rows: number };
}

/** The default margin of a page with a name: most printers cannot print at its edge. */
const namedPageMargin = 10;

interface Measures {
  page: { widthMm: number; heightMm: number };
  columns: number;
  rows: number;
  labelMm?: { widthMm: number; heightMm: number } | undefined;
  /** Undefined: centred. */
  margin?: { top: number; right: number; bottom: number; left: number } | undefined;
  gap: { columns: number; rows: number };
}

const onAllSides = (margin: number) => ({ top: margin, right: margin, bottom: margin, left: margin });

const marginOf = ({ marginMm, labelMm, page }: SheetLayout): Measures['margin'] => {
  if (typeof marginMm === 'number') return onAllSides(marginMm);
  if (marginMm) return marginMm;
  if (labelMm) return undefined;
  return onAllSides(typeof page === 'string' ? namedPageMargin : 0);
};

const gapOf = ({ gapMm = 0 }: SheetLayout): Measures['gap'] =>
  typeof gapMm === 'number' ? { columns: gapMm, rows: gapMm } : gapMm;

const measuresOf = (layout: SheetLayout): Measures => {
  if (layout.stock !== undefined) {
    const { page, columns, rows, labelMm, gapMm } = labelStocks[layout.stock];
    return { page: pageSizes[page], columns, rows, labelMm, gap: gapMm };
  }
  const { page = 'A4', columns = 1, rows = 1, labelMm } = layout;
  return {
    page: typeof page === 'string' ? pageSizes[page] : page,
    columns,
    rows,
    labelMm,
    margin: marginOf(layout),
    gap: gapOf(layout),
  };
};

/** One direction: a number of labels with gaps between them, and margins around them. */
interface Line {
  length: number;
  count: number;
  gap: number;
  label: number | undefined;
  margin: readonly [before: number, after: number] | undefined;
}

const place = ({ length, count, gap, label, margin }: Line): { start: number; label: number } => {
  const gaps = (count - 1) * gap;
  if (label === undefined) {
    const [before, after] = margin ?? [0, 0];
    return { start: before, label: (length - before - after - gaps) / count };
  }
  return { start: margin?.[0] ?? (length - count * label - gaps) / 2, label };
};

/** @param changes to the layout, for a grid that would fit */
export const gridOf = (layout: SheetLayout, changes: { columns?: number; rows?: number } = {}): Grid => {
  const { page, columns, rows, labelMm, margin, gap } = { ...measuresOf(layout), ...changes };
  const across = place({
    length: page.widthMm,
    count: columns,
    gap: gap.columns,
    label: labelMm?.widthMm,
    margin: margin && [margin.left, margin.right],
  });
  const down = place({
    length: page.heightMm,
    count: rows,
    gap: gap.rows,
    label: labelMm?.heightMm,
    margin: margin && [margin.top, margin.bottom],
  });
  return {
    width: page.widthMm,
    height: page.heightMm,
    columns,
    rows,
    label: { width: across.label, height: down.label },
    left: across.start,
    top: down.start,
    gap,
  };
};

/** Templates are rounded to hundredths of a millimetre. */
const tolerance = 0.01;

/** The field that makes the labels overflow the page, and the space that they need; undefined if they fit. */
export const overflowOf = (
  layout: SheetLayout,
  grid: Grid,
): { field: 'columns' | 'rows'; needed: number; given: number } | undefined => {
  const margin = marginOf(layout) ?? onAllSides(0);
  const { columns, rows, label, left, top, gap, width, height } = grid;
  const across =
    Math.max(left, margin.left) + columns * label.width + (columns - 1) * gap.columns + margin.right;
  const down = Math.max(top, margin.top) + rows * label.height + (rows - 1) * gap.rows + margin.bottom;
  if (layout.stock !== undefined) return undefined;
  if (across > width + tolerance) return { field: 'columns', needed: across, given: width };
  if (down > height + tolerance) return { field: 'rows', needed: down, given: height };
  return undefined;
};

/** The upper left corners of the labels, row by row. */
export const placesOf = ({ columns, rows, label, left, top, gap }: Grid): [x: number, y: number][] =>
  Array.from({ length: columns * rows }, (_, index) => [
    left + (index % columns) * (label.width + gap.columns),
    top + Math.floor(index / columns) * (label.height + gap.rows),
  ]);
