/**
 * The zip of an operation: its pictures, named after the rows, and `results.json` with an entry for each row. It is
 * streamed into the storage from parts that are each read once, from beginning to end, with one picture in memory. The
 * same rows give the same bytes.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Storage } from '../../../platform/storage/storage.ts';
import { createFileNames } from './file-names.ts';
import { isText, unpack } from './packing.ts';
import type { StoredPicture } from './pictures.ts';
import type { FinishedRow } from './store.ts';

export const manifestName = 'results.json';

const pictureOf = ({ result }: FinishedRow): StoredPicture | undefined =>
  result.status === 'failed' ? undefined : result;

interface NamedPicture extends StoredPicture {
  name: string;
}

/** A row's entry in the manifest, which has the order of the call. */
const entryOf = ({ uid, result }: FinishedRow, picture: NamedPicture | undefined): object => {
  if (!picture) return { uid, ...result };
  const { name, warnings } = picture;
  return { uid, status: 'created', file: name, ...(warnings && { warnings }) };
};

/** One line per row, so that people can read it, too. */
const manifestOf = (entries: readonly object[]): Buffer =>
  Buffer.from(`[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`);

/** The parts, in the order of their first rows; in each part the rows in the order of its bytes, as they were drawn. */
const byPart = (pictures: readonly NamedPicture[]): NamedPicture[][] => [
  ...Map.groupBy(pictures, ({ part }) => part).values(),
];

/** Reads exactly as many bytes from a stream as asked for. @param what names the stream in an error */
const createTaker = (stream: Readable, what: string) => {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (bytes: number): Promise<Buffer> => {
    const taken = Buffer.allocUnsafe(bytes);
    for (let filled = 0; filled < bytes; ) {
      if (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done) throw new Error(`${what} has fewer bytes than its pictures`);
        rest = value;
      }
      const copied = rest.copy(taken, filled);
      filled += copied;
      rest = rest.subarray(copied);
    }
    return taken;
  };
};

/** @throws {StorageFailure}; {Error} if a part is missing or too short */
async function* bytesOfPart(storage: Storage, pictures: readonly NamedPicture[]): AsyncGenerator<Buffer> {
  const { part } = pictures[0]!;
  const file = await storage.get(part);
  if (!file) throw new Error(`the storage has no ${part}; do all control planes have the same STORAGE_URL?`);
  const stream = await file.read();
  const take = createTaker(stream, part);
  let position = 0;
  try {
    for (const { offset, format, bytes, packedBytes } of pictures) {
      // There is a gap between two pictures only if a row failed after its picture was drawn.
      await take(offset - position);
      const stored = await take(packedBytes ?? bytes);
      yield packedBytes === undefined ? stored : await unpack(stored, format, bytes);
      position = offset + stored.length;
    }
  } finally {
    stream.destroy();
  }
}

async function* bytesOf(storage: Storage, parts: readonly NamedPicture[][]): AsyncGenerator<Buffer> {
  for (const pictures of parts) yield* bytesOfPart(storage, pictures);
}

const outputOf = ({ outputStream }: ZipFile): Readable => {
  // It is a PassThrough, as documented; its type says less.
  if (!(outputStream instanceof Readable)) throw new Error('the zip is not a stream that can be destroyed');
  return outputStream;
};

export interface ZipContents {
  /** In the order of the call. */
  rows: readonly FinishedRow[];
  /** The modification time of all files in the zip. */
  time: Date;
}

/** Starts to read the parts at once. */
const startZip = (storage: Storage, { rows, time }: ZipContents, signal: AbortSignal): Readable => {
  const giveName = createFileNames(manifestName);
  const named = rows.map((row) => {
    const picture = pictureOf(row);
    return { row, picture: picture && { ...picture, name: giveName(row.uid, picture.format) } };
  });
  const parts = byPart(named.flatMap(({ picture }) => picture ?? []));
  const contents = bytesOf(storage, parts);
  const zip = new ZipFile();
  const output = outputOf(zip);
  // The reader gets the error. If there is no reader, it can be ignored.
  output.on('error', () => undefined);
  const fail = (error: Error): void => void output.destroy(error);
  const abort = (): void => fail(new Error('the zip took too long', { cause: signal.reason }));
  zip.on('error', fail);
  signal.addEventListener('abort', abort, { once: true });
  output.once('close', () => {
    signal.removeEventListener('abort', abort);
    // A failure here has already failed the zip, or the zip is not wanted.
    contents.return(undefined).catch(() => undefined);
  });
  zip.addBuffer(manifestOf(named.map(({ row, picture }) => entryOf(row, picture))), manifestName, {
    mtime: time,
  });
  for (const picture of parts.flat())
    zip.addReadStreamLazy(
      picture.name,
      { mtime: time, compress: isText(picture.format), size: picture.bytes },
      (give) => {
        contents.next().then(({ value }) => give(null, Readable.from([value], { objectMode: false })), fail);
      },
    );
  zip.end();
  return output;
};

/**
 * Reads nothing until the first bytes are requested.
 * @param signal aborts it with an error
 * @returns the bytes of the zip; fails if the storage does
 */
export async function* zipOf(
  storage: Storage,
  contents: ZipContents,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  yield* startZip(storage, contents, signal);
}
