/**
 * CSV for spreadsheet programs (RFC 4180): UTF-8 with the mark by which Excel recognises it, lines ending in CR LF, and
 * no cell that a program takes for a formula.
 *
 * A text that begins with = + - @, a tab or a CR (or a wide form of these signs) gets an apostrophe in front. So does
 * such a sign after a `;`, a tab or a line end within the text, since cells begin there for programs that separate by
 * these. If the sign already has apostrophes in front, one more is added, so that nothing is lost: a reader strips one
 * apostrophe in all these places, as an upload does.
 */
import { stringify } from 'csv-stringify/sync';
import { withFormulaMark } from './formula-mark.ts';

export type Cell = string | number | boolean | null;

/** Of a file whose first line names its columns. */
export const csvContentType = 'text/csv; charset=utf-8; header=present';

/** Excel recognises UTF-8 by it. */
export const byteOrderMark = '\ufeff';

/** Lines of a table, without a header. */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: '\r\n',
      // Each of them ends a line or a cell for some programs.
      quoted_match: /[\r\n;\t]/,
      cast: { string: withFormulaMark, boolean: String },
    },
  );

/** The beginning of a file. */
export const csvHeader = (columns: readonly string[]): string => byteOrderMark + csvLines([columns]);
