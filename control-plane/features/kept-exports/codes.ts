/** All codes of a workspace, as `GET /api/qr/codes/export` writes them. */
import { inPieces } from '../../api/http/pieces.ts';
import { codeTexts, type ExportSources, exportedPage } from '../codes/export/files.ts';
import { bytesMax, rowsMax } from '../codes/export/pages.ts';
import { newestSeq, readWholePage } from '../codes/store/pages.ts';
import type { Contents } from './kind.ts';
import type { ExportRequest } from './store.ts';

export interface CodesRequest extends ExportRequest {
  /** Codes made later are not in the file; null: there were none. */
  lastSeq: string | null;
}

export const requestOfCodes = async (
  { pool }: Pick<ExportSources, 'pool'>,
  workspaceId: string,
): Promise<Omit<CodesRequest, 'bytesMax'>> => ({ lastSeq: (await newestSeq(pool, workspaceId)) ?? null });

export const createCodesContents = (sources: ExportSources): Contents => ({
  contents: 'codes',
  startOf: (format) => codeTexts[format].start,
  async next({ workspaceId, format, request }, place, rowsLeft) {
    const { lastSeq } = request as CodesRequest;
    if (lastSeq === null) return { pieces: [], rows: 0, place: undefined, isLast: true };
    const { afterSeq } = (place ?? { afterSeq: '0' }) as { afterSeq: string };
    const bounds = { rowsMax: Math.min(rowsMax, rowsLeft), bytesMax };
    const page = await readWholePage(sources.pool, workspaceId, { afterSeq, lastSeq }, bounds);
    const last = page.at(-1);
    const rows = await exportedPage(sources, workspaceId, page);
    return {
      pieces: inPieces(rows, codeTexts[format].textOf),
      rows: page.length,
      place: last && { afterSeq: last.seq },
      isLast: last === undefined || last.seq === lastSeq,
    };
  },
});
