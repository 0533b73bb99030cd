/** A table → the cells of its rows by column, each row with its name in the result. */

import { uidLengthMax } from '#schemas/api/bulk.ts';
import { uploadRowsMax } from '#schemas/api/upload.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import { columnLetters } from '../../../platform/spreadsheets/column-letters.ts';
import { plain } from '../../../platform/spreadsheets/plain-name.ts';
import type { Spreadsheet, SpreadsheetRow } from '../../../platform/spreadsheets/spreadsheet.ts';
import type { Cells } from './columns.ts';
import type { Fault, SheetNames } from './faults.ts';
import { type Field, type HeaderOptions, headerNames, readHeader } from './header.ts';
import { lossesOf } from './losses.ts';
import type { SourceName } from './sources.ts';

export interface SheetRow {
  /** In the sheet, from 1. */
  number: number;
  /** In the result: the old link of an imported code, or else the number. */
  uid: string;
  cells: Cells;
  /** Faults found before its cells are read. */
  faults: Fault[];
  warnings: string[];
}

export interface SheetRows {
  rows: SheetRow[];
  /** Of the columns, for messages. */
  names: SheetNames;
  source?: SourceName;
  warnings: string[];
}

const isAddress = (text = ''): boolean => /^https?:\/\//i.test(text);

const refuse = (message: string): never => {
  throw new ClientError('UNPROCESSABLE', message);
};

const cellsOf = (row: SpreadsheetRow, fields: readonly (Field | undefined)[]): Cells => {
  const cells: Cells = {};
  for (const [at, field] of fields.entries()) {
    const text = row.cells[at];
    if (field !== undefined && field !== 'oldLink' && text) cells[field] = text;
  }
  return cells;
};

/**
 * A cell beyond the last name of the header was cut off another cell: an unquoted address with commas is split there,
 * and the rest of it leads elsewhere.
 */
const excessOf = (
  row: SpreadsheetRow,
  header: readonly string[],
  { format, columns }: Spreadsheet,
): Fault[] => {
  const end = header.findLastIndex((name) => name !== '') + 1;
  const at = row.cells.findIndex((text, column) => column >= end && text !== '');
  if (at < 0) return [];
  const place = `column ${columnLetters(columns[at]!)}: ${quoted(row.cells[at])}`;
  const remedy = format === 'csv' ? 'put the address in quotes' : 'name that column, or empty the cell';
  return [{ message: `The row has more cells than the header (${place}); ${remedy}` }];
};

/** Of a name: a hundred names of a hundred kilobytes would be compared many times. */
const nameCharactersMax = 500;

const nameText = (text: string): string => text.slice(0, nameCharactersMax);

/** Rows searched for a header. */
const headerRowsMax = 10;

/** Refuses a sheet with a title above its header. */
const checkTitle = ({ rows }: Spreadsheet, { mapping }: HeaderOptions): void => {
  const known = new Set(headerNames(mapping).map(plain));
  const [first = 0, ...below] = rows
    .slice(0, headerRowsMax)
    .map(({ cells }) => cells.filter((text) => known.has(plain(nameText(text)))).length);
  const at = below.findIndex((count) => count > 1) + 1;
  if (first === 0 && at > 0)
    refuse(`file has its header in row ${rows[at]?.number}: remove the rows above it`);
};

const namesOf = (header: readonly string[], fields: readonly (Field | undefined)[]): SheetNames => {
  const named = fields.flatMap((field, at) =>
    field === undefined || field === 'oldLink' ? [] : [[field, shortened(header[at]!)] as const],
  );
  return Object.fromEntries(named);
};

/** A column that is blank throughout is not in the table. */
const unnamedText = (header: readonly string[], columns: readonly number[]): string[] => {
  const end = header.findLastIndex((name) => name !== '');
  const unnamed = columns.filter((_, at) => at < end && header[at] === '').map(columnLetters);
  return unnamed.length === 0 ? [] : [`Columns without a name are ignored: ${unnamed.join(', ')}`];
};

/** @returns a function that gives each row a name that no earlier row has */
const createNames = () => {
  const taken = new Set<string>();
  return (number: number, oldLink: string | undefined): string => {
    const isName = oldLink !== undefined && oldLink.length <= uidLengthMax && !/\p{Cc}/u.test(oldLink);
    const wanted = isName ? oldLink : String(number);
    const name = taken.has(wanted) ? `row ${number}` : wanted;
    taken.add(name);
    return name;
  };
};

/**
 * A list of web addresses has no header: each row is a code.
 * @throws {ClientError} UNPROCESSABLE naming file, if it has no rows or its columns cannot be recognised
 */
export const readSheetRows = (table: Spreadsheet, options: HeaderOptions): SheetRows => {
  const { rows, notes, format } = table;
  const [first, ...below] = rows;
  if (!first)
    return refuse(
      format === 'xlsx'
        ? 'file has no rows that can be read: its first visible sheet is blank, or damaged'
        : 'file has no rows',
    );
  const nameOf = createNames();
  if (first.cells.some(isAddress)) {
    if (rows.length > uploadRowsMax) refuse(`file must have at most ${uploadRowsMax} rows`);
    if (first.cells.length > 1)
      refuse(
        'file has several columns and no header: name its columns in a first row, such as name and destination',
      );
    return {
      rows: rows.map(({ number, cells: [destination = ''] }) => ({
        number,
        uid: nameOf(number, undefined),
        cells: { destination },
        faults: [],
        warnings: [],
      })),
      names: {},
      warnings: notes,
    };
  }
  checkTitle(table, options);
  const header = first.cells.map(nameText);
  const { fields, oldLinks, lossColumns, source, warnings } = readHeader(header, options);
  if (below.length === 0) refuse('file has no rows below its header');
  const read = below.map((row) => {
    const oldLink = oldLinks.map((at) => row.cells[at]).find((text) => text);
    const cells = cellsOf(row, fields);
    const lost = lossesOf(row.cells, cells, lossColumns);
    return {
      number: row.number,
      uid: nameOf(row.number, oldLink),
      cells,
      faults: [...excessOf(row, header, table), ...lost.faults],
      warnings: lost.warnings,
    };
  });
  return {
    rows: read,
    names: namesOf(header, fields),
    ...(source && { source }),
    warnings: [...notes, ...warnings, ...unnamedText(header, table.columns)],
  };
};
