/** Rows as they arrive from a file → a table within its bounds, without blank rows and columns. */
import { refuse, type Spreadsheet, type SpreadsheetBounds, type SpreadsheetRow } from './spreadsheet.ts';

export interface TableBuilder {
  /**
   * @param number of the row in the sheet, from 1
   * @throws {SpreadsheetRefusal} if a bound is exceeded
   */
  add(number: number, cells: readonly string[]): void;
  table(): Pick<Spreadsheet, 'rows' | 'columns'>;
}

/** The cells up to the last one that is not blank. */
const withoutBlankEnd = (cells: readonly string[]): string[] =>
  cells.slice(0, cells.findLastIndex((text) => text !== '') + 1);

export const createTableBuilder = ({
  rowsMax,
  columnsMax,
  charactersMax,
  cellCharactersMax,
}: SpreadsheetBounds): TableBuilder => {
  const rows: SpreadsheetRow[] = [];
  const used = new Set<number>();
  let characters = 0;
  return {
    add(number, given) {
      const cells = withoutBlankEnd(given.map((text) => text.trim()));
      if (cells.length === 0) return;
      if (rows.length === rowsMax)
        refuse(`must have at most ${rowsMax - 1} rows below its header; it has more: split it`);
      if (cells.length > columnsMax)
        refuse(`must have at most ${columnsMax} columns; row ${number} has ${cells.length}`);
      if (cells.some(({ length }) => length > cellCharactersMax))
        refuse(`must have at most ${cellCharactersMax} characters in a cell; row ${number} has more in one`);
      characters += cells.reduce((sum, { length }) => sum + length, 0);
      if (characters > charactersMax) refuse(`must hold at most ${charactersMax} characters in all cells`);
      for (const [at, text] of cells.entries()) if (text !== '') used.add(at);
      rows.push({ number, cells });
    },
    table() {
      const columns = [...used].sort((a, b) => a - b);
      return {
        columns,
        rows: rows.map(({ number, cells }) => ({ number, cells: columns.map((at) => cells[at] ?? '') })),
      };
    },
  };
};
