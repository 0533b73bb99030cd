/** Column names of spreadsheet programs. */

/** @param column from 0 @returns A, B, … Z, AA, … */
export const columnLetters = (column: number): string =>
  (column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
