/** The part of a file that a slice writes: a gzip member. Members one after the other are a gzip file (RFC 1952, 2.2). */
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Piece } from '../../api/http/pieces.ts';
import { createPause } from '../../api/http/steps.ts';
import type { Storage } from '../../platform/storage/storage.ts';

/** Some rows of a file, in pieces of short work. */
export interface RowsOfFile {
  pieces: Iterable<Piece>;
  rows: number;
  /** The last of them; undefined if there are none. */
  place: unknown;
}

/** Of a slice; a program of the tests makes it smaller. */
export const sliceMax = {
  /** After it, no further rows are read. */
  ms: 1_000,
  rows: 50_000,
};

export interface WrittenPart {
  key: string;
  bytes: number;
  rows: number;
  place: unknown;
  /** Whether the file ends with it. */
  isLast: boolean;
}

/**
 * Stores rows while they are read: memory holds a few of them.
 * @param start in front of the first rows of a file
 * @param next the rows behind a place, at most so many
 * @throws {StorageFailure}, and what reading throws: then nothing is stored
 */
export const writePart = async (
  storage: Storage,
  key: string,
  start: string,
  from: unknown,
  next: (place: unknown, rowsMax: number) => Promise<RowsOfFile & { isLast: boolean }>,
): Promise<WrittenPart> => {
  const part: WrittenPart = { key, bytes: 0, rows: 0, place: from, isLast: false };
  const endsAtMs = performance.now() + sliceMax.ms;
  const pause = createPause();

  async function* texts(): AsyncGenerator<string> {
    if (start !== '') yield start;
    do {
      const { pieces, rows, place, isLast } = await next(part.place, sliceMax.rows - part.rows);
      for (const piece of pieces) {
        yield piece();
        await pause();
      }
      part.rows += rows;
      part.place = place ?? part.place;
      part.isLast = isLast;
    } while (!part.isLast && part.rows < sliceMax.rows && performance.now() < endsAtMs);
  }

  async function* packed(): AsyncGenerator<Uint8Array> {
    const source = Readable.from(texts());
    const gzip = createGzip();
    // A pipe does not pass errors on.
    source.once('error', (error) => gzip.destroy(error));
    try {
      for await (const chunk of source.pipe(gzip)) {
        part.bytes += chunk.length;
        yield chunk;
      }
    } finally {
      source.destroy();
      gzip.destroy();
    }
  }

  await storage.put(key, packed());
  return part;
};
