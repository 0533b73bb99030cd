/** The zip of an export: the pictures of its parts, one after the other, and the list at the end. It lies in pieces, and is sent as one. */
import { Readable } from 'node:stream';
import { imageExportDays } from '#schemas/api/serialized-images.ts';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { ByteRange, FileBody } from '../../../creation/file-body.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Reply } from '../../../http/operation.ts';
import { type Storage, StorageFailure } from '../../../storage/storage.ts';
import { isResultReady } from '../objects.ts';
import { findBatch } from '../store/batches.ts';
import { findJob, type StoredJob } from '../store/jobs.ts';
import { listKey } from './keys.ts';
import { listParts } from './store/parts.ts';

export interface DownloadOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
}

/** Bytes of the zip: the first ones of a file. */
interface Piece {
  key: string;
  bytes: number;
}

/** @throws {ClientError} NOT_FOUND for a job that exports no pictures of this batch; FORBIDDEN for another workspace's */
const findExportJob = async (
  pool: Pool,
  workspaceId: string,
  batchId: string,
  jobId: string,
): Promise<StoredJob> => {
  const batch = await findBatch(pool, workspaceId, batchId);
  const job = await findJob(pool, workspaceId, jobId);
  if (job.type === 'image_export' && job.batchId === batch.id) return job;
  throw new ClientError(
    'NOT_FOUND',
    `jobId must be the id of an image export of ${batch.id}; given: ${job.id}`,
  );
};

/** @throws {ClientError} CONFLICT where there is no zip yet or never will be, NOT_FOUND where there is none any more */
const requireResult = (job: StoredJob): void => {
  const { id, status, count, itemsWritten, error, resultUntil } = job;
  if (isResultReady(job)) return;
  if (status === 'completed')
    throw new ClientError(
      'NOT_FOUND',
      `The zip of ${id} was kept until ${resultUntil?.toISOString()}, at most for ${imageExportDays} days; export the images again`,
    );
  if (status === 'failed') throw new ClientError('CONFLICT', `${id} has no zip: ${error}`);
  throw new ClientError('CONFLICT', `${id} is not completed: ${itemsWritten} of ${count} images are drawn`, {
    retryAfterSeconds: 1,
  });
};

/** A range of the zip as ranges of its pieces. */
const rangesOf = (
  pieces: readonly Piece[],
  { first, last }: ByteRange,
): { key: string; range: ByteRange }[] => {
  let start = 0;
  return pieces.flatMap(({ key, bytes }) => {
    const range = { first: Math.max(first - start, 0), last: Math.min(last - start, bytes - 1) };
    start += bytes;
    return range.first <= range.last ? [{ key, range }] : [];
  });
};

/** A file at a time is open. @throws {StorageFailure} */
async function* bytesOf(
  storage: Storage,
  pieces: readonly Piece[],
  range: ByteRange,
): AsyncGenerator<Buffer> {
  for (const each of rangesOf(pieces, range)) {
    const file = await storage.get(each.key);
    if (!file) throw new StorageFailure('changed', `${each.key} is gone`);
    yield* await file.read(each.range);
  }
}

const fileOf = (storage: Storage, jobId: string, pieces: readonly Piece[]): FileBody => {
  const size = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    size,
    // The pieces of a completed export are never written again.
    etag: `"${jobId}"`,
    read: async (range = { first: 0, last: size - 1 }) =>
      Readable.from(bytesOf(storage, pieces, range), { objectMode: false }),
  };
};

/** @throws {ClientError} see {@link findExportJob} and {@link requireResult}; {StorageFailure} */
export const createDownload =
  ({ pool, storage, logger }: DownloadOptions) =>
  async (workspaceId: string, batchId: string, jobId: string): Promise<Reply> => {
    const job = await findExportJob(pool, workspaceId, batchId, jobId);
    requireResult(job);
    const parts = await listParts(pool, job.id);
    const list = await storage.get(listKey(job.id));
    if (!list) {
      logger.warn({ jobId }, 'the storage has lost a zip; do all control planes have the same STORAGE_URL?');
      throw new ClientError(
        'NOT_FOUND',
        `The zip of ${jobId} is not in the storage any more; export the images again`,
      );
    }
    const pieces = [
      ...parts.map(({ key, pictureBytes }) => ({ key, bytes: pictureBytes })),
      { key: listKey(job.id), bytes: list.size },
    ];
    return {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${job.id}.zip"`,
      },
      file: fileOf(storage, job.id, pieces),
    };
  };
