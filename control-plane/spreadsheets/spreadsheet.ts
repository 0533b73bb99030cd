/** A table as it was read from a file: texts in rows, and nothing of what they mean. */

/** A row that holds something. */
export interface SpreadsheetRow {
  /** As the program that made the file counts: the first row of the sheet is 1, and blank rows count. */
  number: number;
  /** As many cells as the table has columns; a blank one is an empty text. */
  cells: string[];
}

export interface Spreadsheet {
  format: 'csv' | 'xlsx';
  /** Blank rows and blank columns are left out. */
  rows: SpreadsheetRow[];
  /** For each column that is left, its place in the sheet, from 0. */
  columns: number[];
  /** What was chosen for the person who sent the file: a sheet among several, an encoding. Sentences. */
  notes: string[];
}

export interface SpreadsheetBounds {
  /** Rows that hold something. */
  rowsMax: number;
  /** The columns from the first one to the last that holds something. */
  columnsMax: number;
  /** UTF-16 units of all cells together: a few bytes of a workbook can stand for any amount of text. */
  charactersMax: number;
  /** UTF-16 units of one cell: its check is one step, however long the cell is. */
  cellCharactersMax: number;
}

/** A file that is refused. The message begins with a verb, so that the name of its field goes before it. */
export class SpreadsheetRefusal extends Error {}

/** @throws {SpreadsheetRefusal} */
export const refuse = (message: string, cause?: unknown): never => {
  throw new SpreadsheetRefusal(message, { cause });
};

/** The errors that a formula can have in place of a value (ECMA-376 part 1, 18.17.3, and those that Excel has added). */
const cellErrors: ReadonlySet<string> = new Set([
  '#BLOCKED!',
  '#BUSY!',
  '#CALC!',
  '#CONNECT!',
  '#DIV/0!',
  '#FIELD!',
  '#GETTING_DATA',
  '#N/A',
  '#NAME?',
  '#NULL!',
  '#NUM!',
  '#REF!',
  '#SPILL!',
  '#UNKNOWN!',
  '#VALUE!',
]);

/** Whether a cell holds the error of a formula. A CSV file has it as text. */
export const isCellError = (text: string): boolean => cellErrors.has(text);
