/** A table as read from a file: rows of texts, without any interpretation. */

/** A row that is not blank. */
export interface SpreadsheetRow {
  /** As counted by the program that made the file: the first row of the sheet is 1, and blank rows count. */
  number: number;
  /** As many cells as the table has columns; a blank cell is an empty text. */
  cells: string[];
}

export interface Spreadsheet {
  format: 'csv' | 'xlsx' | 'json';
  /** Without blank rows and blank columns. */
  rows: SpreadsheetRow[];
  /** For each remaining column, its position in the sheet, from 0. */
  columns: number[];
  /** Choices made on behalf of the sender: a sheet among several, an encoding. Sentences. */
  notes: string[];
}

export interface SpreadsheetBounds {
  /** Rows that are not blank. */
  rowsMax: number;
  /** The columns from the first one to the last that is not blank. */
  columnsMax: number;
  /** UTF-16 units of all cells together: a few bytes of a workbook can expand to any amount of text. */
  charactersMax: number;
  /** UTF-16 units of one cell: checking a cell is one step, however long it is. */
  cellCharactersMax: number;
}

/** A refused file. The message begins with a verb, so that its field's name can precede it. */
export class SpreadsheetRefusal extends Error {}

/** @throws {SpreadsheetRefusal} */
export const refuse = (message: string, cause?: unknown): never => {
  throw new SpreadsheetRefusal(message, { cause });
};

/** The errors that a formula can have instead of a value (ECMA-376 part 1, 18.17.3, and Excel's own additions). */
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

/** Whether a cell holds a formula error. In a CSV file it is text. */
export const isCellError = (text: string): boolean => cellErrors.has(text);
