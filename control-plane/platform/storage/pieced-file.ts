/** A file that lies in the storage in pieces, and is read as one. */
import { Readable } from 'node:stream';
import { type ByteRange, type Storage, StorageFailure } from './storage.ts';

/** Bytes of the file: the first ones of a stored file. */
export interface FilePiece {
  key: string;
  bytes: number;
}

/** A range of the file as ranges of its pieces. */
const rangesOf = (
  pieces: readonly FilePiece[],
  { first, last }: ByteRange,
): { key: string; range: ByteRange }[] => {
  let start = 0;
  return pieces.flatMap(({ key, bytes }) => {
    const range = { first: Math.max(first - start, 0), last: Math.min(last - start, bytes - 1) };
    start += bytes;
    return range.first <= range.last ? [{ key, range }] : [];
  });
};

/** One stored file at a time is open. @throws {StorageFailure} */
async function* bytesOf(
  storage: Storage,
  pieces: readonly FilePiece[],
  range: ByteRange,
): AsyncGenerator<Buffer> {
  for (const each of rangesOf(pieces, range)) {
    const file = await storage.get(each.key);
    if (!file) throw new StorageFailure('changed', `${each.key} is gone`);
    yield* await file.read(each.range);
  }
}

/** @param id of pieces that are never written again */
export const piecedFile = (storage: Storage, id: string, pieces: readonly FilePiece[]) => {
  const size = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    size,
    etag: `"${id}"`,
    read: async (range: ByteRange = { first: 0, last: size - 1 }): Promise<Readable> =>
      Readable.from(bytesOf(storage, pieces, range), { objectMode: false }),
  };
};
