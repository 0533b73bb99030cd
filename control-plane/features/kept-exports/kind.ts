/**
 * Exports as jobs: each slice stores a part of the file, and commits it with the place of its last row. A part that is stored
 * and not committed is in no file; the nightly task removes it.
 */
import { exportKeptDays } from '#schemas/api/kept-exports.ts';
import { type JobKind, jobKind } from '../../jobs/kind.ts';
import { StorageFailure } from '../../platform/storage/storage.ts';
import { type FileOptions, newPartKey, removeFile } from './files.ts';
import { type RowsOfFile, type WrittenPart, writePart } from './part.ts';
import { exportLane, findExportOfJob, insertPart, jobNames, type StoredExport } from './store.ts';

const dayMs = 86_400_000;

/** What is written, and how. */
export interface Contents {
  readonly contents: StoredExport['contents'];
  /** What a file begins with. */
  startOf(format: StoredExport['format']): string;
  /** The next rows behind a place, at most so many; null: from the first. */
  next(work: StoredExport, place: unknown, rowsMax: number): Promise<RowsOfFile & { isLast: boolean }>;
}

/** No later attempt would succeed. */
class ExportRefusal extends Error {
  override name = 'ExportRefusal';
}

/** A full disk does not get room by waiting: the owner of the export learns of it. */
const refusalOfFull = (error: unknown, { id }: StoredExport): unknown =>
  error instanceof StorageFailure && error.reason === 'full'
    ? new ExportRefusal(`The storage has no room left for ${id}; nothing of it is kept`, { cause: error })
    : error;

const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MB`;

interface Written {
  work: StoredExport;
  part: WrittenPart;
}

export const createExportKind = (options: FileOptions, of: Contents): JobKind => {
  const { pool, storage, logger } = options;
  const failure = 'The file could not be written, for a reason of ours';

  const write = async (work: StoredExport): Promise<WrittenPart> => {
    const start = work.place === null ? of.startOf(work.format) : '';
    try {
      return await writePart(storage, newPartKey(work.id), start, work.place, (place, rowsMax) =>
        of.next(work, place, rowsMax),
      );
    } catch (error) {
      throw refusalOfFull(error, work);
    }
  };

  return jobKind<undefined, Written | undefined>({
    name: jobNames[of.contents],
    lane: exportLane,
    failure,
    async prepare({ id }) {
      const work = await findExportOfJob(pool, id);
      return work && { work, part: await write(work) };
    },
    async effect(tx, { id }, written) {
      if (!written) return { failed: failure };
      const { work, part } = written;
      const { bytesMax } = work.request;
      if (work.bytes + part.bytes > bytesMax)
        return {
          failed: `The file of ${id} would have more than ${inMegabytes(bytesMax)}: export less at once, or remove other files`,
        };
      // A file without rows has a place, too: its beginning is written.
      await insertPart(tx, id, { ...part, place: part.place ?? {} });
      const resultUntil = new Date(Date.now() + exportKeptDays * dayMs);
      return { done: part.rows, ...(part.isLast && { isLast: true, resultUntil }) };
    },
    discard: async (_, written) => written && storage.remove(written.part.key),
    refusalOf: (error) => (error instanceof ExportRefusal ? error.message : undefined),
    async ended({ id }, how) {
      if (how === 'failed') await removeFile({ pool, storage, logger }, id);
    },
  });
};
