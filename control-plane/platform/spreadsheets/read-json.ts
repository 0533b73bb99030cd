/**
 * The pages of an API → rows: a column for each key of their entries. A page is a list of entries, or an object that has one. A
 * file has one page, a list of pages, or pages one after the other.
 */
import { decodeText } from './decode-text.ts';
import { readDocuments } from './json-documents.ts';
import { refuse, type Spreadsheet, type SpreadsheetBounds } from './spreadsheet.ts';
import { createTableBuilder } from './table-builder.ts';

type Entry = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of a page that has them under one of the names: in a list, or as the values of an object. */
const entriesUnder = (page: Entry, names: readonly string[]): unknown[] | undefined => {
  const entries = names
    .map((name) => page[name])
    .find((value) => typeof value === 'object' && value !== null);
  return entries && (Array.isArray(entries) ? entries : Object.values(entries));
};

/** @param names of the property that has the entries */
const entriesOf = (page: unknown, names: readonly string[]): unknown[] => {
  if (Array.isArray(page))
    return page.flatMap((each: unknown) => (isObject(each) ? (entriesUnder(each, names) ?? [each]) : [each]));
  return isObject(page) ? (entriesUnder(page, names) ?? [page]) : [page];
};

/** A text as it is; an object or a list as JSON. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const keysOf = (entries: readonly Entry[], columnsMax: number): string[] => {
  const keys = new Set<string>();
  for (const entry of entries) {
    for (const key of Object.keys(entry)) keys.add(key);
    if (keys.size > columnsMax) refuse(`must have at most ${columnsMax} different keys in its entries`);
  }
  return [...keys];
};

/** Whether a text is JSON rather than a table. */
export const isJson = (file: Buffer): boolean => {
  const begin = file
    .subarray(0, 1_024)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  return /^\s*[[{]/.test(begin);
};

/**
 * @param names of the property of a page that has its entries
 * @returns a table whose first row has the keys; the entries are numbered from 1
 * @throws {SpreadsheetRefusal}
 */
export const readJson = (file: Buffer, bounds: SpreadsheetBounds, names: readonly string[]): Spreadsheet => {
  const { text, note } = decodeText(file);
  const entries = readDocuments(text).flatMap((page) => entriesOf(page, names));
  if (entries.length >= bounds.rowsMax) refuse(`must have at most ${bounds.rowsMax - 1} entries: split it`);
  const objects = entries.map((entry, at) =>
    isObject(entry) ? entry : refuse(`must have objects as entries; entry ${at + 1} is none`),
  );
  const keys = keysOf(objects, bounds.columnsMax);
  const table = createTableBuilder(bounds);
  table.add(0, keys);
  for (const [at, entry] of objects.entries())
    table.add(
      at + 1,
      keys.map((key) => cellOf(entry[key])),
    );
  return { format: 'json', ...table.table(), notes: note ? [note] : [] };
};
