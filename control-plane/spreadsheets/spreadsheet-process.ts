/** The program of a process that reads spreadsheets of strangers. A refusal is returned as data: between processes an Error loses its class. */
import { answerTasks } from '../processes/process-pool.ts';
import { kindOfFile } from './kind-of-file.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { type Spreadsheet, type SpreadsheetBounds, SpreadsheetRefusal } from './spreadsheet.ts';

export interface SpreadsheetTask {
  file: Uint8Array;
  bounds: SpreadsheetBounds;
  /** Of columns that a header may have. */
  names: readonly string[];
}

export type SpreadsheetAnswer = { ok: true; spreadsheet: Spreadsheet } | { ok: false; message: string };

answerTasks<SpreadsheetTask, SpreadsheetAnswer>(async ({ file, bounds, names }) => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    const isXlsx = kindOfFile(bytes) === 'xlsx';
    return { ok: true, spreadsheet: isXlsx ? await readXlsx(bytes, bounds) : readCsv(bytes, bounds, names) };
  } catch (error) {
    if (error instanceof SpreadsheetRefusal) return { ok: false, message: error.message };
    throw error;
  }
});
