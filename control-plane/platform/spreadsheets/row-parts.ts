/**
 * The cells of rows on their way between processes: in messages that are short work to receive, and as rows, so that putting
 * them together is work for each row, not for each of two million cells.
 */
import type { SpreadsheetRow } from './spreadsheet.ts';

/** The cells of a row. Those of a long row come in several parts, one after the other. */
export type RowPart = string[];

/** Cells per message: receiving them is a millisecond of work. */
const togetherMax = 5_000;
const charactersTogetherMax = 64 * 1024;

/** The parts of each message. */
export function* rowPartsTogether(rows: readonly SpreadsheetRow[]): Generator<RowPart[]> {
  let parts: RowPart[] = [];
  let count = 0;
  let characters = 0;
  for (const { cells } of rows) {
    let begin = 0;
    for (const [at, { length }] of cells.entries()) {
      count++;
      characters += length;
      if (count < togetherMax && characters < charactersTogetherMax) continue;
      parts.push(cells.slice(begin, at + 1));
      yield parts;
      begin = at + 1;
      parts = [];
      count = 0;
      characters = 0;
    }
    if (begin < cells.length) parts.push(cells.slice(begin));
  }
  if (parts.length > 0) yield parts;
}

/** @param width cells of each row @param numbers of the rows */
export const rowsOfParts = (
  messages: readonly (readonly RowPart[])[],
  width: number,
  numbers: readonly number[],
): SpreadsheetRow[] => {
  const rows: SpreadsheetRow[] = [];
  let cells: string[] = [];
  for (const part of messages.flat()) {
    if (cells.length === 0) cells = part;
    else for (const cell of part) cells.push(cell);
    if (cells.length < width) continue;
    rows.push({ number: numbers[rows.length]!, cells });
    cells = [];
  }
  return rows;
};
