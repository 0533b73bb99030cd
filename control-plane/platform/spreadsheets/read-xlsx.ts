/**
 * A workbook → rows of its first visible sheet. The rows are streamed and reading stops at the first row beyond the
 * limit, so that a sheet of a million rows is refused as fast as a sheet of a thousand. A file made to expand without
 * end is stopped by the limits of the process that reads it.
 */

import { formatValue } from 'hucre';
import { readXlsx as readWorkbook, streamXlsxRows } from 'hucre/xlsx';
import { cellText } from './cell-text.ts';
import { columnLetters } from './column-letters.ts';
import { checkExpandedSize } from './expanded-size.ts';
import { refuse, type Spreadsheet, type SpreadsheetBounds, SpreadsheetRefusal } from './spreadsheet.ts';
import { createTableBuilder, type TableBuilder } from './table-builder.ts';

/** Longer than any format of a phone number or an id. */
const formatLengthMax = 100;

/** Zeros, texts in quotes, signs and blanks: no decimals, thousands, percents, dates or conditions. */
const zerosAndLiterals = /^(?:0|"[^"]*"|\\.|[-+() /]|_.)+$/;

/** @returns the text that a person sees, if the format consists of zeros and literals */
const shownNumber = (value: number, format: string): string | undefined => {
  const isPlain = Number.isSafeInteger(value) && value >= 0 && format.length <= formatLengthMax;
  const [positive = ''] = format.split(';');
  if (!isPlain || !positive.includes('0') || !zerosAndLiterals.test(positive)) return undefined;
  return formatValue(value, positive);
};

interface Sheet {
  name: string;
  index: number;
  isHidden: boolean;
}

/** The row limit of any sheet. */
const rowNumberMax = 2 ** 20;

/** The sheets by name, without reading their rows. */
const sheetsOf = async (file: Buffer): Promise<Sheet[]> => {
  const sheets: Sheet[] = [];
  await readWorkbook(file, {
    sheets({ name, index, hidden, veryHidden }) {
      sheets.push({ name, index, isHidden: hidden === true || veryHidden === true });
      return false;
    },
  });
  return sheets;
};

const otherSheets = (chosen: Sheet, sheets: readonly Sheet[]): string[] => {
  const left = sheets.filter((sheet) => sheet !== chosen).map(({ name }) => `'${name.slice(0, 31)}'`);
  if (left.length === 0) return [];
  const named = left.slice(0, 5).join(', ') + (left.length > 5 ? ` and ${left.length - 5} more` : '');
  return [`Only the first visible sheet, '${chosen.name.slice(0, 31)}', was read; left out: ${named}.`];
};

interface NumberCell {
  row: number;
  /** From 0. */
  column: number;
  value: number;
}

/**
 * The rows are streamed without formats: formats of number cells are read only once the table is known to be within its
 * bounds.
 */
const withShownNumbers = async (
  file: Buffer,
  sheet: Sheet,
  table: ReturnType<TableBuilder['table']>,
  numbers: readonly NumberCell[],
): Promise<ReturnType<TableBuilder['table']>> => {
  const last = table.rows.at(-1);
  if (!last || numbers.length === 0) return table;
  const range = `A1:${columnLetters(table.columns.at(-1) ?? 0)}${last.number}`;
  const { sheets } = await readWorkbook(file, {
    sheets: [sheet.index],
    readStyles: true,
    range,
    maxRows: last.number,
  });
  const byNumber = new Map(table.rows.map(({ number, cells }) => [number, cells]));
  for (const { row, column, value } of numbers) {
    const format = sheets[0]?.cells?.get(`${row - 1},${column}`)?.style?.numFmt;
    const shown = format === undefined ? undefined : shownNumber(value, format);
    const cells = byNumber.get(row);
    if (shown !== undefined && cells) cells[table.columns.indexOf(column)] = shown.trim();
  }
  return table;
};

const readRows = async (file: Buffer, sheet: Sheet, bounds: SpreadsheetBounds) => {
  const table = createTableBuilder(bounds);
  const numbers: NumberCell[] = [];
  for await (const { index, values } of streamXlsxRows(file, { sheet: sheet.index })) {
    if (!(index >= 0 && index < rowNumberMax))
      refuse(`is damaged: it has a row with the number ${index + 1}`);
    table.add(index + 1, values.map(cellText));
    for (const [column, value] of values.entries())
      if (typeof value === 'number') numbers.push({ row: index + 1, column, value });
  }
  return withShownNumbers(file, sheet, table.table(), numbers);
};

const read = async (file: Buffer, bounds: SpreadsheetBounds): Promise<Spreadsheet> => {
  const sheets = await sheetsOf(file);
  const chosen = sheets.find(({ isHidden }) => !isHidden) ?? refuse('has no visible sheet');
  return {
    format: 'xlsx',
    ...(await readRows(file, chosen, bounds)),
    notes: otherSheets(chosen, sheets),
  };
};

/** @throws {SpreadsheetRefusal} if a workbook is damaged or has no visible sheet, or the table exceeds the bounds */
export const readXlsx = async (file: Buffer, bounds: SpreadsheetBounds): Promise<Spreadsheet> => {
  checkExpandedSize(file);
  try {
    return await read(file, bounds);
  } catch (error) {
    if (error instanceof SpreadsheetRefusal) throw error;
    return refuse('is damaged: it cannot be read as an XLSX workbook; open it and save it again', error);
  }
};
