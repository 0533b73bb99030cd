/** Text → rows. The delimiter is detected, since spreadsheet programs write the country's. */
import { CsvError, type Info, type Options, parse } from 'csv-parse/sync';
import { decodeText } from './decode-text.ts';
import { withoutFormulaMark } from './formula-mark.ts';
import { plain } from './plain-name.ts';
import { refuse, type Spreadsheet, type SpreadsheetBounds } from './spreadsheet.ts';
import { createTableBuilder } from './table-builder.ts';

const delimiters = [',', ';', '\t', '|'] as const;

/** A character that no text has: control characters were refused before. */
const noDelimiter = '\u0000';

/** Records for detecting the delimiter. */
const sampleRecords = 50;

const optionsOf = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // 5" pipe: a quote in the middle of an unquoted cell.
  relax_quotes: true,
});

/** Of a file, blank ones included. Nine million blank lines take the parser 16 s. */
const linesMax = 100_000;
/** Delimiters of any kind in a line, those in quotes included: 50 rules with 249 countries each have 13,000 commas. */
const delimitersMax = 20_000;

const tooManyLines = (): never => refuse(`must have at most ${linesMax} lines, blank ones included`);

const isDelimiter = (code: number): boolean =>
  code === 0x2c || code === 0x3b || code === 0x09 || code === 0x7c;

/** What is written of a cell: its quotes, and each quote in it twice. */
const writtenMax = ({ cellCharactersMax }: SpreadsheetBounds): number => 2 * cellCharactersMax + 2;

/**
 * Before the parser, which makes a cell for each delimiter: nine million take it 30 s, and a cell of 16 MB takes 9 s. Only
 * empty lines count here: of the others there are too many rows first.
 * @throws {SpreadsheetRefusal}
 */
const requireBounded = (text: string, bounds: SpreadsheetBounds): void => {
  let [line, begin, empty, found, cell] = [1, 0, 0, 0, 0];
  const endCell = (at: number): void => {
    if (at - cell > writtenMax(bounds))
      refuse(
        `must have at most ${bounds.cellCharactersMax} characters in a cell; line ${line} has more in one`,
      );
    cell = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
      const isEmpty = at === begin || (at === begin + 1 && text.charCodeAt(begin) === 0x0d);
      if (isEmpty && ++empty > linesMax) tooManyLines();
      endCell(at);
      line++;
      begin = at + 1;
      found = 0;
    } else if (isDelimiter(code)) {
      endCell(at);
      if (++found > delimitersMax)
        refuse(
          `must have at most ${delimitersMax} commas, semicolons, tabs and bars in a line; line ${line} has more`,
        );
    }
  }
  endCell(text.length);
};

/** Excel's own first line: `sep=;` */
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

/** The share of records with as many cells as the first one; 0 if the first one has only one cell. */
const agreement = (text: string, delimiter: string): { share: number; cells: number } => {
  const records = sampleOf(text, delimiter);
  const cells = records[0]?.length ?? 0;
  const alike = records.filter(({ length }) => length === cells).length;
  return { share: cells > 1 ? alike / records.length : 0, cells };
};

/** A title may precede the header. */
const headerRecordsMax = 10;

/** The number of column names in the record that has the most. */
const namesIn = (text: string, delimiter: string, names: ReadonlySet<string>): number => {
  const records = sampleOf(text, delimiter).slice(0, headerRecordsMax);
  return Math.max(0, ...records.map((record) => record.filter((cell) => names.has(plain(cell))).length));
};

/** @returns the delimiter that yields the most column names in one line, if it yields several */
const delimiterOfHeader = (text: string, names: ReadonlySet<string>): string | undefined => {
  const counted = delimiters.map((delimiter) => ({ delimiter, found: namesIn(text, delimiter, names) }));
  const best = counted.reduce((most, each) => (each.found > most.found ? each : most));
  return best.found > 1 ? best.delimiter : undefined;
};

/**
 * @returns the delimiter for which most rows agree, then the one with the most columns. If no delimiter makes more than
 *   half of the rows agree, the rows are lines: a list of addresses with occasional commas
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
 * @param names possible column names of a header: they reveal the delimiter if the rows do not agree
 * @throws {SpreadsheetRefusal} if it is not text, a quote is never closed, or the table exceeds the bounds
 */
export const readCsv = (
  file: Buffer,
  bounds: SpreadsheetBounds,
  names: readonly string[] = [],
): Spreadsheet => {
  const { text, note } = decodeText(file);
  requireBounded(text, bounds);
  const first = declared.exec(text);
  const body = first ? text.slice(first[0].length) : text;
  const delimiter = first?.[1] ?? delimiterOfHeader(body, new Set(names.map(plain))) ?? findDelimiter(body);
  const table = createTableBuilder(bounds);
  const skipped = first ? 1 : 0;
  const onRecord = (record: string[], { records }: Info): null => {
    if (records > linesMax) tooManyLines();
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
