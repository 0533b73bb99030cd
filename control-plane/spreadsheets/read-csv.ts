/** Text → rows. The delimiter is found by evidence: spreadsheet programs write that of the country. */
import { CsvError, type Info, type Options, parse } from 'csv-parse/sync';
import { decodeText } from './decode-text.ts';
import { withoutFormulaMark } from './formula-mark.ts';
import { plain } from './plain-name.ts';
import { refuse, type Spreadsheet, type SpreadsheetBounds } from './spreadsheet.ts';
import { createTableBuilder } from './table-builder.ts';

const delimiters = [',', ';', '\t', '|'] as const;

/** A character that no text has: control characters are refused before. */
const noDelimiter = '\u0000';

/** Records from which the delimiter is found. */
const sampleRecords = 50;

const optionsOf = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // 5" pipe: a quote in the middle of a cell that has none around it.
  relax_quotes: true,
});

/** The first line of Excel's own: `sep=;` */
const declared = /^sep=(.)(?:\r\n|\n|\r|$)/;

/** The first records, up to a quote that is never closed. */
const sampleOf = (text: string, delimiter: string): string[][] => {
  const records: string[][] = [];
  const keep = (record: string[]): null => {
    records.push(record);
    return null;
  };
  try {
    parse(text, { ...optionsOf(delimiter), to: sampleRecords, skip_empty_lines: true, on_record: keep });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
};

/** The share of records that have as many cells as the first one, where that has several; 0 where it has one. */
const agreement = (text: string, delimiter: string): { share: number; cells: number } => {
  const records = sampleOf(text, delimiter);
  const cells = records[0]?.length ?? 0;
  const alike = records.filter(({ length }) => length === cells).length;
  return { share: cells > 1 ? alike / records.length : 0, cells };
};

/** Above a header there may be a title. */
const headerRecordsMax = 10;

/** Names of columns in the record that has the most of them. */
const namesIn = (text: string, delimiter: string, names: ReadonlySet<string>): number => {
  const records = sampleOf(text, delimiter).slice(0, headerRecordsMax);
  return Math.max(0, ...records.map((record) => record.filter((cell) => names.has(plain(cell))).length));
};

/** @returns the delimiter that makes the most names of columns out of one line, where one makes several */
const delimiterOfHeader = (text: string, names: ReadonlySet<string>): string | undefined => {
  const counted = delimiters.map((delimiter) => ({ delimiter, found: namesIn(text, delimiter, names) }));
  const best = counted.reduce((most, each) => (each.found > most.found ? each : most));
  return best.found > 1 ? best.delimiter : undefined;
};

/**
 * @returns the delimiter for which most rows agree, then the one that makes the most columns. Where no half of the rows agree, they are
 *   lines: a list of addresses with a comma here and there
 */
const findDelimiter = (text: string): string => {
  let best = { delimiter: noDelimiter, share: 0.5, cells: Number.POSITIVE_INFINITY };
  for (const delimiter of delimiters) {
    const found = agreement(text, delimiter);
    const isBetter = found.share > best.share || (found.share === best.share && found.cells > best.cells);
    if (isBetter) best = { delimiter, ...found };
  }
  return best.delimiter;
};

const refuseCsv = (error: unknown): never => {
  if (!(error instanceof CsvError)) throw error;
  const line = 'lines' in error ? ` in line ${String(error.lines)}` : '';
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return refuse(`has a quote that opens and is never closed${line}`, error);
  return refuse(`is not valid CSV${line}`, error);
};

/**
 * @param names of columns that a header may have: they tell the delimiter where the rows do not agree
 * @throws {SpreadsheetRefusal} for what is no text, a quote that is never closed, or a table that passes the bounds
 */
export const readCsv = (
  file: Buffer,
  bounds: SpreadsheetBounds,
  names: readonly string[] = [],
): Spreadsheet => {
  const { text, note } = decodeText(file);
  const first = declared.exec(text);
  const body = first ? text.slice(first[0].length) : text;
  const delimiter = first?.[1] ?? delimiterOfHeader(body, new Set(names.map(plain))) ?? findDelimiter(body);
  const table = createTableBuilder(bounds);
  const skipped = first ? 1 : 0;
  const onRecord = (record: string[], { records }: Info): null => {
    table.add(records + skipped, record.map(withoutFormulaMark));
    return null;
  };
  try {
    parse(body, { ...optionsOf(delimiter), on_record: onRecord });
  } catch (error) {
    refuseCsv(error);
  }
  return { format: 'csv', ...table.table(), notes: note ? [note] : [] };
};
