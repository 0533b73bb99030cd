/** The zip of an export: the pictures of its parts, one after the other, and the list at the end. It lies in pieces, and is sent as one. */
import { Readable } from 'node:stream';
import { imageExportDays } from '#schemas/api/serialized-images.ts';
import type { Logger } from '#shared/logger.ts';
import type { Reply } from '../../../api/http/operation.ts';
import type { ByteRange, FileBody } from '../../../api/idempotency/file-body.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { type Storage, StorageFailure } from '../../../platform/storage/storage.ts';
import { listKey } from './keys.ts';
import { findResultJob, lostResult, type ResultKind } from './result.ts';
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

const zip: ResultKind = {
  kind: 'image_export',
  job: 'an image export',
  file: 'zip',
  drawn: 'images',
  again: 'export the images again',
  days: imageExportDays,
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
      file: fileOf(storage, job.id, pieces),
    };
  };
