/**
 * CSV for spreadsheet programs (RFC 4180): UTF-8 with the mark by which Excel knows it, lines that end with CR LF, and no cell
 * that a program takes for a formula.
 *
 * A text that begins with = + - @, a tab or a CR (also the wide forms of these signs) gets an apostrophe in front. So does one
 * that has such a sign after apostrophes of its own, so that nothing is lost: whoever reads takes one apostrophe off wherever
 * apostrophes and then such a sign begin a cell, as an upload does.
 */
import { stringify } from 'csv-stringify/sync';
import { isMarkedFormula } from '../../../spreadsheets/formula-mark.ts';

export type Cell = string | number | boolean | null;

const byteOrderMark = '\ufeff';

/** The library puts the apostrophe where a formula begins; this puts one where apostrophes came first. */
const keepApostrophes = (text: string): string => (isMarkedFormula(text) ? `'${text}` : text);

/** Lines of a table, without a header. */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: '\r\n',
      escape_formulas: true,
      // Either of them alone ends a line for some programs.
      quoted_match: /[\r\n]/,
      cast: { string: keepApostrophes, boolean: String },
    },
  );

/** What a file begins with. */
export const csvHeader = (columns: readonly string[]): string => byteOrderMark + csvLines([columns]);
