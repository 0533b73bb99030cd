/** The PDF of sheets. */
import { sheetDays } from '#schemas/api/serialized-sheets.ts';
import type { Logger } from '#shared/logger.ts';
import type { Reply } from '../../../../api/http/operation.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { findResultJob, lostResult, type ResultKind } from '../../exports/result.ts';
import { pdfKey } from './keys.ts';

export interface SheetDownloadOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
}

const pdf: ResultKind = {
  kind: 'sheet_export',
  job: 'sheets',
  file: 'PDF',
  drawn: 'codes',
  again: 'ask for the sheets again',
  days: sheetDays,
};

/** @throws {ClientError} see {@link findResultJob}; {StorageFailure} */
export const createSheetDownload =
  ({ pool, storage, logger }: SheetDownloadOptions) =>
  async (workspaceId: string, batchId: string, jobId: string): Promise<Reply> => {
    const job = await findResultJob(pool, workspaceId, batchId, jobId, pdf);
    const file = await storage.get(pdfKey(job.id));
    if (!file) throw lostResult(logger, job.id, pdf);
    return {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${job.id}.pdf"`,
      },
      file,
    };
  };
