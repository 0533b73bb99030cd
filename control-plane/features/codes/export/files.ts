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

/** Codes with their scan counts, in pieces. @param textOf turns some of them into text, in their order */
async function* exportedCodes(
  sources: ExportSources,
  workspaceId: string,
  textOf: (codes: ExportedCode[]) => string,
): AsyncGenerator<Piece> {
  const { pool, scanCounts, qrHost, toWholeCodeObject } = sources;
  const toExported = (code: WholeCode, count: number, isStale: boolean): ExportedCode => ({
    code: toWholeCodeObject(code, count, qrHost),
    isStale,
  });
  for await (const page of codePages(pageReads(pool), workspaceId, readWholePage)) {
    const { counts, stale } = await scanCounts.of(
      workspaceId,
      page.map(({ id }) => id),
    );
    yield* inPieces(page, (codes) =>
      textOf(codes.map((code) => toExported(code, counts.get(code.id) ?? 0, stale))),
    );
  }
}

async function* csvFile(sources: ExportSources, workspaceId: string): AsyncGenerator<Piece> {
  let start = csvHeader(codeColumnNames);
  yield* exportedCodes(sources, workspaceId, (codes) => {
    const text = start + csvLines(codes.map(codeRow));
    start = '';
    return text;
  });
  yield () => start;
}

const ndjsonFile: WriteFile = (sources, workspaceId) =>
  exportedCodes(sources, workspaceId, (codes) => codes.map(codeLine).join(''));

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
  csv: { contentType: csvContentType, extension: 'csv', write: csvFile },
  ndjson: { contentType: 'application/x-ndjson', extension: 'ndjson', write: ndjsonFile },
  'nginx-map': { contentType: 'text/plain; charset=utf-8', extension: 'conf', write: nginxMapFile },
};
