/**
 * The program of a process that reads untrusted spreadsheets. A refusal is returned as data: between processes an Error
 * loses its class.
 */
import { answerTasks } from '../processes/process-pool.ts';
import { kindOfFile } from './kind-of-file.ts';
import { readCsv } from './read-csv.ts';
import { isJson, readJson } from './read-json.ts';
import { readXlsx } from './read-xlsx.ts';
import { type RowPart, rowPartsTogether } from './row-parts.ts';
import { type Spreadsheet, type SpreadsheetBounds, SpreadsheetRefusal } from './spreadsheet.ts';

/** Its file is passed in parts. */
export interface SpreadsheetTask {
  bounds: SpreadsheetBounds;
  /** Possible column names of a header. */
  names: readonly string[];
  /** Names of the property of a JSON page that has its entries. None: JSON is not accepted. */
  pages: readonly string[];
}

/** The cells of all rows are sent before. */
export type SpreadsheetAnswer =
  | { ok: true; spreadsheet: Omit<Spreadsheet, 'rows'>; numbers: readonly number[] }
  | { ok: false; message: string };

const readText = (bytes: Buffer, { bounds, names, pages }: SpreadsheetTask): Spreadsheet =>
  pages.length > 0 && isJson(bytes) ? readJson(bytes, bounds, pages) : readCsv(bytes, bounds, names);

answerTasks<SpreadsheetTask, SpreadsheetAnswer, RowPart[]>(async (task, { parts, say }) => {
  const bytes = Buffer.concat(parts);
  try {
    const isXlsx = kindOfFile(bytes) === 'xlsx';
    const { rows, ...spreadsheet } = isXlsx ? await readXlsx(bytes, task.bounds) : readText(bytes, task);
    for (const some of rowPartsTogether(rows)) await say(some);
    return { ok: true, spreadsheet, numbers: rows.map(({ number }) => number) };
  } catch (error) {
    if (error instanceof SpreadsheetRefusal) return { ok: false, message: error.message };
    throw error;
  }
});
