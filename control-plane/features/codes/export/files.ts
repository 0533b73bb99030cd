/**
 * The files of an export, page by page. A file begins with its first page: a failure before it is an ordinary error.
 */
import type { WholeCodeObject } from '#schemas/api/codes.ts';
import type { ExportFormat } from '#schemas/api/exports.ts';
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import { pageReads } from '../../../platform/db/page-reads.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { csvContentType, csvHeader, csvLines } from '../../../platform/spreadsheets/csv.ts';
import { aliasesOfCodes } from '../aliases/store.ts';
import type { ScanCounts } from '../analytics/scan-counts.ts';
import type { WholeCode } from '../store/code.ts';
import { countCodes } from '../store/list.ts';
import { readCodePage, readWholePage } from '../store/pages.ts';
import { codeColumnNames, codeLine, codeRow, type ExportedCode } from './code-row.ts';
import { nginxFile } from './nginx/file.ts';
import { codePages } from './pages.ts';

export interface ExportSources {
  pool: Pool;
  scanCounts: ScanCounts;
  qrHost: string;
  /** A code as the API shows it. */
  toWholeCodeObject(code: WholeCode, scanCount: number, qrHost: string): WholeCodeObject;
}

type WriteFile = (sources: ExportSources, workspaceId: string, now: Date) => AsyncGenerator<Piece>;

interface ExportFile {
  contentType: string;
  extension: string;
  write: WriteFile;
}

/** A page with scan counts. */
export const exportedPage = async (
  { scanCounts, qrHost, toWholeCodeObject }: Omit<ExportSources, 'pool'>,
  workspaceId: string,
  page: readonly WholeCode[],
): Promise<ExportedRow[]> => {
  const { counts, stale } = await scanCounts.of(
    workspaceId,
    page.map(({ id }) => id),
  );
  return page.map((code) => () => ({
    code: toWholeCodeObject(code, counts.get(code.id) ?? 0, qrHost),
    isStale: stale,
  }));
};

/** A code, made when it is written. */
export type ExportedRow = () => ExportedCode;

/** The texts of a file that lists codes. */
export const codeTexts = {
  csv: {
    start: csvHeader(codeColumnNames),
    textOf: (rows: readonly ExportedRow[]) => csvLines(rows.map((row) => codeRow(row()))),
  },
  ndjson: {
    start: '',
    textOf: (rows: readonly ExportedRow[]) => rows.map((row) => codeLine(row())).join(''),
  },
} as const;

const listFile = (format: keyof typeof codeTexts): WriteFile =>
  async function* (sources, workspaceId) {
    const { textOf } = codeTexts[format];
    let { start } = codeTexts[format] as { start: string };
    for await (const page of codePages(pageReads(sources.pool), workspaceId, readWholePage))
      yield* inPieces(await exportedPage(sources, workspaceId, page), (rows) => {
        const text = start + textOf(rows);
        start = '';
        return text;
      });
    yield () => start;
  };

async function* nginxMapFile(
  { pool, scanCounts, qrHost }: ExportSources,
  workspaceId: string,
  now: Date,
): AsyncGenerator<Piece> {
  const codes = await countCodes(pool, workspaceId, {});
  const pages = codePages(pageReads(pool), workspaceId, readCodePage);
  const countsOf = async (ownerId: string, ids: readonly string[]) =>
    (await scanCounts.of(ownerId, ids)).counts;
  const aliasesOf = (ids: readonly string[]) => aliasesOfCodes(pageReads(pool), ids);
  yield* nginxFile(pages, { countsOf, aliasesOf, whose: `the workspace ${workspaceId}`, qrHost, now, codes });
}

export const exportFiles: Readonly<Record<ExportFormat, ExportFile>> = {
  csv: { contentType: csvContentType, extension: 'csv', write: listFile('csv') },
  ndjson: { contentType: 'application/x-ndjson', extension: 'ndjson', write: listFile('ndjson') },
  'nginx-map': { contentType: 'text/plain; charset=utf-8', extension: 'conf', write: nginxMapFile },
};
