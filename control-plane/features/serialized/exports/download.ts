/** The zip of an export: the pictures of its parts, one after the other, and the list at the end. It lies in pieces, and is sent as one. */
import { imageExportDays } from '#schemas/api/serialized-images.ts';
import type { Logger } from '#shared/logger.ts';
import type { Reply } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { piecedFile } from '../../../platform/storage/pieced-file.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { listKey } from './keys.ts';
import { findResultJob, lostResult, type ResultKind } from './result.ts';
import { listParts } from './store/parts.ts';

export interface DownloadOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
}

const zip: ResultKind = {
  kind: 'image_export',
  job: 'an image export',
  file: 'zip',
  drawn: 'images',
  again: 'export the images again',
  days: imageExportDays,
};

/** @throws {ClientError} see {@link findResultJob}; {StorageFailure} */
export const createDownload =
  ({ pool, storage, logger }: DownloadOptions) =>
  async (workspaceId: string, batchId: string, jobId: string): Promise<Reply> => {
    const job = await findResultJob(pool, workspaceId, batchId, jobId, zip);
    const parts = await listParts(pool, job.id);
    const list = await storage.get(listKey(job.id));
    if (!list) throw lostResult(logger, job.id, zip);
    const pieces = [
      ...parts.map(({ key, pictureBytes }) => ({ key, bytes: pictureBytes })),
      { key: listKey(job.id), bytes: list.size },
    ];
    return {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${job.id}.zip"`,
      },
      file: piecedFile(storage, job.id, pieces),
    };
  };
