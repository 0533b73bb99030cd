/**
 * Tables → files that spreadsheet programs open: CSV and XLSX. Every cell is text: a phone number keeps its plus, an id
 * its zeros.
 */
import { writeCsv as csvOf } from 'hucre/csv';
import { writeXlsx as workbookOf } from 'hucre/xlsx';
import { columnLetters } from './column-letters.ts';
import { withFormulaMark } from './formula-mark.ts';

export interface WrittenSheet {
  /** At most 31 characters, without any of `: \ / ? * [ ]`. */
  name: string;
  /** The first row is the header. */
  rows: readonly (readonly string[])[];
  columns?: readonly WrittenColumn[];
  /** Blank rows below, to be filled in. */
  blankRows?: number;
}

export interface WrittenColumn {
  /** Characters. */
  width?: number;
  /** Format of values typed below the header. Default: text, so that +49 and 0049 stay as typed. */
  format?: 'text' | 'number' | 'day';
  /** The values of a drop-down list; other values are accepted as well. */
  choices?: readonly string[];
}

/** The rows below the header that have a drop-down list. */
const choiceRows = 1000;

/** In the language of number formats. A day typed in any common form becomes a date, which is shown in ISO 8601. */
const formats = { text: '@', number: 'General', day: 'yyyy-mm-dd' } as const;

/**
 * With the mark by which Excel recognises UTF-8, and RFC 4180's line ends. Formulas, and numbers with a plus, are
 * marked as text.
 */
export const writeCsv = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(
    `${csvOf(
      rows.map((row) => row.map(withFormulaMark)),
      { bom: true, lineSeparator: '\r\n', quoteStyle: 'all' },
    )}\r\n`,
  );

/** `_x0041_` is an escaped A in a workbook; if it is meant literally, its first character is escaped itself. */
const escaped = (text: string): string => text.replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_');

const sheetOf = ({ name, rows, columns = [], blankRows = 0 }: WrittenSheet) => ({
  name,
  rows: [
    ...rows.map((row) => row.map(escaped)),
    ...Array.from({ length: blankRows }, () => columns.map(() => null)),
  ],
  columns: columns.map(({ width = 14, format = 'text' }) => ({ width, style: { numFmt: formats[format] } })),
  cells: new Map(
    rows[0]?.map((text, column) => [
      `0,${column}`,
      {
        value: escaped(text),
        style: { numFmt: formats.text, font: { bold: true, name: 'Calibri', size: 11 } },
      },
    ]),
  ),
  freezePane: { rows: 1 },
  dataValidations: columns.flatMap(({ choices }, column) =>
    choices
      ? [
          {
            type: 'list' as const,
            values: [...choices],
            range: `${columnLetters(column)}2:${columnLetters(column)}${choiceRows}`,
            allowBlank: true,
            showErrorMessage: false,
          },
        ]
      : [],
  ),
});

/** A workbook whose headers stay visible. */
export const writeXlsx = async (sheets: readonly WrittenSheet[]): Promise<Buffer> =>
  Buffer.from(await workbookOf({ sheets: sheets.map(sheetOf) }));
