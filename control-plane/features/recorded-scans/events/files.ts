/** Scans as files, in the order of recording. */
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import { csvContentType } from '../../../platform/spreadsheets/csv.ts';
import { rowsMax } from '../../codes/export/scans/pages.ts';
import { type LogQuery, parseLogged, placeOf, toScanObject } from './log.ts';
import type { ReadScans } from './reads.ts';
import { scanFields, scanTexts } from './texts.ts';

/** Pages of lines: each is a short statement that continues after the previous one, so that a slow client holds nothing. */
export async function* logPages(read: ReadScans, query: Omit<LogQuery, 'rows'>): AsyncGenerator<string[]> {
  let after = query.after;
  for (;;) {
    const page = await read({ ...query, ...(after && { after }), rows: rowsMax });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < rowsMax) return;
    after = placeOf(parseLogged(last));
  }
}

const texts = scanTexts(scanFields, (line) => toScanObject(parseLogged(line)));

interface ScanFile {
  contentType: string;
  extension: string;
  start: string;
  textOf(lines: readonly string[]): string;
}

export const scanFiles: Readonly<Record<'ndjson' | 'csv', ScanFile>> = {
  ndjson: { contentType: 'application/x-ndjson', extension: 'ndjson', ...texts.ndjson },
  csv: { contentType: csvContentType, extension: 'csv', ...texts.csv },
};

/** A file, in pieces; it begins with its first page, so that a failure before it is an ordinary error. */
export async function* scanFile(file: ScanFile, pages: AsyncIterable<string[]>): AsyncGenerator<Piece> {
  let { start } = file;
  const textOf = (lines: readonly string[]): string => {
    const text = start + file.textOf(lines);
    start = '';
    return text;
  };
  for await (const page of pages) yield* inPieces(page, textOf);
  yield () => start;
}
