/** The scans of a code as CSV: what is stored of each. No address and no user agent is: they are recorded nowhere. */
import { type Cell, csvHeader, csvLines } from '../../../../spreadsheets/csv.ts';
import type { ExportedScan } from './pages.ts';

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
  // With a letter in front, so that no program takes it for a number, and rounds it.
  visitor: ({ visitorHash }) => `v${visitorHash.padStart(16, '0')}`,
} as const satisfies Record<string, (scan: ExportedScan) => Cell>;

const cellsOf: readonly ((scan: ExportedScan) => Cell)[] = Object.values(columns);

/** The file, page by page; it begins with the first page. */
export async function* scanFile(pages: AsyncIterable<ExportedScan[]>): AsyncGenerator<string> {
  let start = csvHeader(Object.keys(columns));
  for await (const page of pages) {
    yield start + csvLines(page.map((scan) => cellsOf.map((cell) => cell(scan))));
    start = '';
  }
  yield start;
}
