/**
 * A workbook → rows of its first visible sheet. The rows are streamed and the reading ends with the first row beyond the bound, so that
 * a sheet of a million rows is refused as fast as one of a thousand. A file that is made to expand without end is stopped by the
 * limits of the process that reads it.
 */
import { readXlsx as readWorkbook, streamXlsxRows } from 'hucre/xlsx';
import { cellText } from './cell-text.ts';
import { checkExpandedSize } from './expanded-size.ts';
import { refuse, type Spreadsheet, type SpreadsheetBounds, SpreadsheetRefusal } from './spreadsheet.ts';
import { createTableBuilder } from './table-builder.ts';

interface Sheet {
  name: string;
  index: number;
  isHidden: boolean;
}

/** Rows and columns of the largest sheet that there can be. */
const rowNumberMax = 2 ** 20;

/** The sheets by name; no row of them is read. */
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

const readRows = async (file: Buffer, sheet: Sheet, bounds: SpreadsheetBounds) => {
  const table = createTableBuilder(bounds);
  for await (const { index, values } of streamXlsxRows(file, { sheet: sheet.index })) {
    if (!(index >= 0 && index < rowNumberMax))
      refuse(`is damaged: it has a row with the number ${index + 1}`);
    table.add(index + 1, values.map(cellText));
  }
  return table.table();
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

/** @throws {SpreadsheetRefusal} for a damaged workbook, one without a visible sheet, or a table that passes the bounds */
export const readXlsx = async (file: Buffer, bounds: SpreadsheetBounds): Promise<Spreadsheet> => {
  checkExpandedSize(file);
  try {
    return await read(file, bounds);
  } catch (error) {
    if (error instanceof SpreadsheetRefusal) throw error;
    return refuse('is damaged: it cannot be read as an XLSX workbook; open it and save it again', error);
  }
};
