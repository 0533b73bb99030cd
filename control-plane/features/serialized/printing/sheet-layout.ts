/** A layout and its contents → the design of its sheets, or a refusal that suggests what would fit. */
import {
  gridMax,
  labelsPerPageMax,
  type SheetCaption,
  type SheetLayout,
} from '#schemas/api/serialized-sheets.ts';
import { ClientError } from '#shared/errors.ts';
import type { SheetDesign, SheetSymbol } from '../../../rendering/index.ts';
import type { CaptionText, SetFixedText } from './caption-lines.ts';
import { captionNames } from './captions.ts';
import { cropMarks, slugOf } from './crop-marks.ts';
import { type Grid, gridOf, overflowOf, placesOf } from './grid.ts';
import { type Designed, designLabel, moduleMin } from './label-design.ts';

export interface SheetContents {
  symbol: SheetSymbol;
  captions: readonly CaptionText[];
  setFixedText: SetFixedText;
}

const millimetres = (value: number): string => `${Math.floor(value * 100) / 100}`;

const overflowing = (layout: SheetLayout, grid: Grid): ClientError | undefined => {
  const overflow = overflowOf(layout, grid);
  if (!overflow) return undefined;
  const { field, needed, given } = overflow;
  const labels = field === 'columns' ? `${grid.columns} columns` : `${grid.rows} rows`;
  return new ClientError(
    'UNPROCESSABLE',
    `layout.${field} is too many: ${labels} of labelMm with their gaps and margins need ${millimetres(needed)} mm, and the page has ` +
      `${millimetres(given)} mm`,
  );
};

/** @returns undefined if margins and gaps leave no label */
const design = async (grid: Grid, { symbol, captions, setFixedText }: SheetContents) =>
  grid.label.width > 0 && grid.label.height > 0
    ? designLabel(grid.label, symbol, captions, setFixedText)
    : undefined;

/** The least module with a tolerance of a hair's breadth. */
const isLargeEnough = (designed: Designed | undefined): boolean =>
  designed !== undefined && !designed.refused && designed.design.module >= moduleMin - 1e-6;

/** The most columns, or rows, that leave modules large enough; 0 if none do. */
const mostThatFit = async (
  layout: SheetLayout,
  field: 'columns' | 'rows',
  contents: SheetContents,
): Promise<number> => {
  const other = gridOf(layout)[field === 'columns' ? 'rows' : 'columns'];
  let [fitting, high] = [0, Math.min(gridMax, Math.floor(labelsPerPageMax / other))];
  while (fitting < high) {
    const middle = Math.ceil((fitting + high) / 2);
    if (isLargeEnough(await design(gridOf(layout, { [field]: middle }), contents))) fitting = middle;
    else high = middle - 1;
  }
  return fitting;
};

/** The most columns and rows, in about the layout's proportion, that leave modules large enough. */
const bothThatFit = async (
  layout: SheetLayout,
  contents: SheetContents,
): Promise<{ columns: number; rows: number }> => {
  const { columns, rows } = gridOf(layout);
  const of = Math.max(columns, rows);
  const part = (share: number) => ({
    columns: Math.ceil((columns * share) / of),
    rows: Math.ceil((rows * share) / of),
  });
  let [fitting, high] = [1, of];
  while (fitting < high) {
    const middle = Math.ceil((fitting + high) / 2);
    if (isLargeEnough(await design(gridOf(layout, part(middle)), contents))) fitting = middle;
    else high = middle - 1;
  }
  return part(fitting);
};

/** A layout that would fit, for the end of a refusal. */
const remedyOf = async (
  layout: SheetLayout,
  field: string,
  designed: Designed | undefined,
  contents: SheetContents,
): Promise<string> => {
  const withoutCaptions =
    contents.captions.length > 0 && (designed?.bareModule ?? 0) >= moduleMin
      ? `; without captions a module would be ${millimetres(designed!.bareModule)} mm`
      : '';
  if (field !== 'columns' && field !== 'rows') return withoutCaptions;
  const most = await mostThatFit(layout, field, contents);
  if (most === 0) {
    const both = await bothThatFit(layout, contents);
    return `${withoutCaptions}; at most ${both.columns} columns and ${both.rows} rows fit together`;
  }
  return `; at most ${most} ${most === 1 ? field.slice(0, -1) : field} fit${most === 1 ? 's' : ''}${withoutCaptions}`;
};

const oneLabelFits = async (layout: SheetLayout, contents: SheetContents): Promise<boolean> =>
  isLargeEnough(await design(gridOf(layout, { columns: 1, rows: 1 }), contents));

/** The field that limits the size of the labels. */
const fieldOf = async (
  layout: SheetLayout,
  grid: Grid,
  designed: Designed | undefined,
  contents: SheetContents,
): Promise<string> => {
  if (layout.stock !== undefined) return 'stock';
  if (layout.labelMm) return 'labelMm';
  if (!(await oneLabelFits(layout, contents)))
    return (await oneLabelFits({ ...layout, marginMm: 0 }, contents)) ? 'marginMm' : 'page';
  // A caption without room is too wide.
  const bound = designed?.refused
    ? 'width'
    : (designed?.bound ?? (grid.label.width <= 0 ? 'width' : 'height'));
  if (bound === 'width' && grid.columns > 1) return 'columns';
  return grid.rows > 1 ? 'rows' : grid.columns > 1 ? 'columns' : 'page';
};

const tooSmall = async (
  layout: SheetLayout,
  grid: Grid,
  designed: Designed | undefined,
  contents: SheetContents,
): Promise<ClientError> => {
  const field = await fieldOf(layout, grid, designed, contents);
  const remedy = await remedyOf(layout, field, designed, contents);
  if (!designed)
    return new ClientError(
      'UNPROCESSABLE',
      `layout.${field}: margins and gaps leave no room for labels${remedy}`,
    );
  const { width, height } = grid.label;
  const labels = `labels of ${millimetres(width)} × ${millimetres(height)} mm`;
  if (designed.refused) {
    const { name } = designed.refused;
    const index = captionNames(layout).indexOf(name);
    const where =
      Array.isArray(layout.captions) && layout.captions.length > 1
        ? `layout.captions[${index}]`
        : 'layout.captions';
    return new ClientError(
      'UNPROCESSABLE',
      `${where}: ${name} is too long for ${labels}, in type of 4 points${remedy}`,
    );
  }
  return new ClientError(
    'UNPROCESSABLE',
    `layout.${field} leaves ${labels}, in which one module would be ${millimetres(designed.design.module)} mm; it must be at least ` +
      `${moduleMin} mm${remedy}`,
  );
};

/**
 * @returns the sheets, and the captions that are left out for want of room
 * @throws {ClientError} UNPROCESSABLE if labels do not fit on the page, or are too small for a code that can be printed
 *   and read; names the layout's field, the size of a module and a layout that would fit
 */
export const designSheets = async (
  layout: SheetLayout,
  contents: SheetContents,
): Promise<{ design: SheetDesign; omitted: readonly SheetCaption[] }> => {
  const grid = gridOf(layout);
  const overflow = overflowing(layout, grid);
  if (overflow) throw overflow;
  const designed = await design(grid, contents);
  if (!designed || !isLargeEnough(designed)) throw await tooSmall(layout, grid, designed, contents);
  const { bleedMm } = layout;
  return {
    design: {
      width: grid.width,
      height: grid.height,
      bleed: bleedMm,
      slug: slugOf(bleedMm),
      label: designed.design,
      places: placesOf(grid),
      marks: bleedMm > 0 ? cropMarks(grid, bleedMm) : [],
    },
    omitted: designed.omitted,
  };
};
