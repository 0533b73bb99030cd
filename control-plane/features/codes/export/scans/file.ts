/** The scans of a code as CSV: all stored fields. Addresses and user agents are recorded nowhere. */
import { inPieces, type Piece } from '../../../../api/http/pieces.ts';
import { type Cell, csvHeader, csvLines } from '../../../../platform/spreadsheets/csv.ts';
import { type ExportedScan, parseScan } from './pages.ts';

const columns = {
  time: ({ tsMs }) => new Date(tsMs).toISOString(),
  kind: ({ kindName }) => kindName,
  device: ({ deviceName }) => deviceName,
  os: ({ osName }) => osName,
  browser: ({ browserName }) => browserName,
  country: ({ countryCode }) => countryCode,
  referrer: ({ referrer }) => referrer,
  source: ({ sourceId }) => sourceId,
  variant: ({ variant }) => variant,
  rule: ({ rule }) => rule,
  // The letter keeps programs from reading it as a number, and rounding it.
  visitor: ({ visitorHash }) => `v${visitorHash.padStart(16, '0')}`,
} as const satisfies Record<string, (scan: ExportedScan) => Cell>;

const cellsOf: readonly ((scan: ExportedScan) => Cell)[] = Object.values(columns);

const rowOf = (line: string): Cell[] => {
  const scan = parseScan(line);
  return cellsOf.map((cell) => cell(scan));
};

/** The file, in pieces; it begins with the first page. @param pages lines of JSON, each a scan */
export async function* scanFile(pages: AsyncIterable<string[]>): AsyncGenerator<Piece> {
  let start = csvHeader(Object.keys(columns));
  const textOf = (lines: readonly string[]): string => {
    const text = start + csvLines(lines.map(rowOf));
    start = '';
    return text;
  };
  for await (const page of pages) yield* inPieces(page, textOf);
  yield () => start;
}
