/**
 * CSV for spreadsheet programs (RFC 4180): UTF-8 with the mark by which Excel knows it, lines that end with CR LF, and no cell
 * that a program takes for a formula.
 *
 * A text that begins with = + - @, a tab or a CR (also the wide forms of these signs) gets an apostrophe in front, and so does such
 * a sign after a `;`, a tab or an end of a line in the text: there, cells begin for a program that separates by these. Where
 * apostrophes of its own are in front of the sign it gets one more, so that nothing is lost: whoever reads takes one apostrophe off
 * in all these places, as an upload does.
 */
import { stringify } from 'csv-stringify/sync';
import { withFormulaMark } from './formula-mark.ts';

export type Cell = string | number | boolean | null;

/** Of a file whose first line names its columns. */
export const csvContentType = 'text/csv; charset=utf-8; header=present';

/** By it Excel knows UTF-8. */
export const byteOrderMark = '\ufeff';

/** Lines of a table, without a header. */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: '\r\n',
      // Each of them alone ends a line or a cell for some programs.
      quoted_match: /[\r\n;\t]/,
      cast: { string: withFormulaMark, boolean: String },
    },
  );

/** What a file begins with. */
export const csvHeader = (columns: readonly string[]): string => byteOrderMark + csvLines([columns]);
