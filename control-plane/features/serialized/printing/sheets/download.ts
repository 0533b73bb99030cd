/** The PDF of sheets. */
import { sheetDays } from '#schemas/api/serialized-sheets.ts';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../../db/pool.ts';
import type { Reply } from '../../../../http/operation.ts';
import type { Storage } from '../../../../storage/storage.ts';
import { isResultReady } from '../../objects.ts';
import { findBatch } from '../../store/batches.ts';
import { findJob, type StoredJob } from '../../store/jobs.ts';
import { pdfKey } from './keys.ts';

export interface SheetDownloadOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
}

/** @throws {ClientError} NOT_FOUND for a job that draws no sheets of this batch; FORBIDDEN for another workspace's */
const findSheetJob = async (
  pool: Pool,
  workspaceId: string,
  batchId: string,
  jobId: string,
): Promise<StoredJob> => {
  const batch = await findBatch(pool, workspaceId, batchId);
  const job = await findJob(pool, workspaceId, jobId);
  if (job.type === 'sheet_export' && job.batchId === batch.id) return job;
  throw new ClientError('NOT_FOUND', `jobId must be the id of sheets of ${batch.id}; given: ${job.id}`);
};

/** @throws {ClientError} CONFLICT where there is no PDF yet or never will be, NOT_FOUND where there is none any more */
const requirePdf = (job: StoredJob): void => {
  const { id, status, count, itemsWritten, error, resultUntil } = job;
  if (isResultReady(job)) return;
  if (status === 'completed')
    throw new ClientError(
      'NOT_FOUND',
      `The PDF of ${id} was kept until ${resultUntil?.toISOString()}, at most for ${sheetDays} days; ask for the sheets again`,
    );
  if (status === 'failed') throw new ClientError('CONFLICT', `${id} has no PDF: ${error}`);
  throw new ClientError('CONFLICT', `${id} is not completed: ${itemsWritten} of ${count} codes are drawn`, {
    retryAfterSeconds: 1,
  });
};

/** @throws {ClientError} see {@link findSheetJob} and {@link requirePdf}; {StorageFailure} */
export const createSheetDownload =
  ({ pool, storage, logger }: SheetDownloadOptions) =>
  async (workspaceId: string, batchId: string, jobId: string): Promise<Reply> => {
    const job = await findSheetJob(pool, workspaceId, batchId, jobId);
    requirePdf(job);
    const file = await storage.get(pdfKey(job.id));
    if (!file) {
      logger.warn({ jobId }, 'the storage has lost a PDF; do all control planes have the same STORAGE_URL?');
      throw new ClientError(
        'NOT_FOUND',
        `The PDF of ${job.id} is not in the storage any more; ask for the sheets again`,
      );
    }
    return {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${job.id}.pdf"`,
      },
      file,
    };
  };
