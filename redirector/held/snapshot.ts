/**
 * The most recently scanned codes on disk, so that a redirector that starts while everything behind it is down redirects
 * them. A record of the snapshot is revalidated before it is served, if any source answers.
 *
 * It is written where enough of it has changed, and in small parts with pauses, so that a redirector with nothing new writes
 * nothing, and one with much does not stop for it. Large records are in it as far as half of its bytes go: those of one
 * workspace leave out no other's plain ones.
 */
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { formatLine, textOfLine } from './snapshot-line.ts';

export interface SnapshotOptions {
  folder: string;
  codesMax: number;
  /** Of its records, as they are estimated, of which their lines take about as much. */
  bytesMax: number;
  /** It is written that often where much has changed … */
  everyMs: number;
  /** … and that often where anything has. */
  everyMsMax: number;
  /** A write for which the disk takes longer is given up, and the previous snapshot stays. */
  timeoutMs: number;
}

/** How what is kept is written, and where. */
export interface SnapshotFormat<Kept> {
  fileName: string;
  /** What its line takes, about. */
  bytesOf(kept: Kept): number;
  /** @returns without line breaks */
  textOf(kept: Kept): string;
  /** The inverse of `textOf`. @throws for any other text */
  parse(text: string): Kept;
}

export interface SnapshotSource<Kept> {
  /** The records to write, the most recently scanned first. */
  hot(max: number): Iterable<Kept>;
  /** A number that grows with every change of what `hot` would give. */
  readonly news: number;
}

export interface Snapshot {
  /** Writes it now, unless a write is under way. Resolves when it is on disk, or when the write is given up. */
  write(): Promise<void>;
  /** Writes what has changed without pauses. */
  close(): Promise<void>;
}

/** Records that are serialized at a time: a millisecond of the event loop … */
const chunkLines = 500;
/** … and what they may take, but for the last of them, which takes 4 MB at most: six milliseconds. */
const chunkBytes = 2 ** 18;
/** The cost of looking at a byte that is left out, against that of one that is written. */
const leftOutCost = 1 / 4;
/** A record that takes more is a large one. A plain code takes 300 bytes. */
const largeBytes = 4096;
/** The share of the bytes that large records may take. */
const largeShare = 0.5;
/** Between two chunks: 200,000 codes take ten seconds. */
const pauseMs = 25;
/** The share of its lines that makes a snapshot worth writing again at once. */
const newsShare = 0.02;

interface Chunk {
  text: string;
  lines: number;
}

/** @returns whether there is room for a record of so many bytes, which it then takes */
const createRoom = (bytesMax: number) => {
  const left = { all: bytesMax, large: largeShare * bytesMax };
  return (bytes: number): boolean => {
    const isLarge = bytes > largeBytes;
    if (bytes > left.all || (isLarge && bytes > left.large)) return false;
    left.all -= bytes;
    if (isLarge) left.large -= bytes;
    return true;
  };
};

function* chunks<Kept>(
  records: Iterable<Kept>,
  bytesMax: number,
  { bytesOf, textOf }: SnapshotFormat<Kept>,
): Generator<Chunk> {
  const takeRoom = createRoom(bytesMax);
  let parts: string[] = [];
  let [seen, cost] = [0, 0];
  for (const record of records) {
    const bytes = bytesOf(record);
    const isIn = takeRoom(bytes);
    if (isIn) parts.push(formatLine(textOf(record)));
    cost += isIn ? bytes : leftOutCost * bytes;
    if (++seen < chunkLines && cost < chunkBytes) continue;
    yield { text: parts.join(''), lines: parts.length };
    parts = [];
    [seen, cost] = [0, 0];
  }
  yield { text: parts.join(''), lines: parts.length };
}

const fileIn = (folder: string, { fileName }: { fileName: string }): string => path.join(folder, fileName);

const writtenAtMs = async (file: string): Promise<number> =>
  (await fs.promises.stat(file).catch(() => undefined))?.mtimeMs ?? 0;

/**
 * The folder whose snapshot is to be read: the process's own or, where it has none, the one beside it with the newest
 * snapshot. An additional worker starts with the codes of another worker.
 */
export const findSnapshot = async (folder: string, format: { fileName: string }): Promise<string> => {
  if (fs.existsSync(fileIn(folder, format))) return folder;
  const parent = path.dirname(folder);
  let found = { folder, atMs: 0 };
  for (const name of await fs.promises.readdir(parent)) {
    const candidate = path.join(parent, name);
    const atMs = await writtenAtMs(fileIn(candidate, format));
    if (atMs > found.atMs) found = { folder: candidate, atMs };
  }
  return found.folder;
};

/**
 * What the last snapshot has, the most recently used first; nothing if there is no snapshot. A line that is not as it was
 * written is left out: a snapshot is a cache, not the truth.
 */
export const readSnapshot = async <Kept>(
  format: SnapshotFormat<Kept>,
  folder: string,
  logger: Logger,
): Promise<Kept[]> => {
  const file = fileIn(folder, format);
  if (!fs.existsSync(file)) return [];
  const records: Kept[] = [];
  let unreadable = 0;
  for await (const line of readline.createInterface({ input: fs.createReadStream(file) })) {
    try {
      records.push(format.parse(textOfLine(line)));
    } catch {
      unreadable++;
    }
  }
  if (unreadable > 0)
    logger.warn({ file, unreadable }, 'lines of the snapshot are not as they were written: left out');
  return records;
};

/**
 * @param source what changed before this call is in the snapshot that is there
 * @param diskQueue each operation on the disk enters it by itself, so that a snapshot does not hold up the spool
 */
export const keepSnapshot = <Kept>(
  format: SnapshotFormat<Kept>,
  options: SnapshotOptions,
  source: SnapshotSource<Kept>,
  diskQueue: DiskQueue,
  logger: Logger,
): Snapshot => {
  const file = fileIn(options.folder, format);
  const closing = new AbortController();
  // A snapshot of another process may have been read.
  let written = { news: fs.existsSync(file) ? source.news : 0, lines: 0, atMs: performance.now() };

  const pause = (): Promise<void> => sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {});

  const writeFile = async (): Promise<void> => {
    const temporary = `${file}.new`;
    const { news } = source;
    const startedAtMs = performance.now();
    let diskMs = 0;
    let linesWritten = 0;
    let flag = 'w';
    // No descriptor is kept between two chunks: a write that is given up leaves none open.
    for (const { text, lines } of chunks(source.hot(options.codesMax), options.bytesMax, format)) {
      if (diskMs > options.timeoutMs)
        throw new Error(`the snapshot has taken more than ${options.timeoutMs} ms`);
      if (flag === 'a') await pause();
      const chunkAtMs = performance.now();
      await diskQueue.run(() => fs.promises.writeFile(temporary, text, { flag, mode: 0o600 }));
      diskMs += performance.now() - chunkAtMs;
      linesWritten += lines;
      flag = 'a';
    }
    // Renamed, so that a crash leaves the old one or the new one, never half of it.
    await diskQueue.run(() => fs.promises.rename(temporary, file));
    written = { news, lines: linesWritten, atMs: startedAtMs };
  };

  let writing: Promise<void> | undefined;
  const write = (): Promise<void> => {
    writing ??= writeFile()
      .catch((error) => {
        logger.warn({ err: error, file }, 'a snapshot cannot be written');
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };

  const isWorthIt = (): boolean => {
    const news = source.news - written.news;
    const isMuch = news >= newsShare * written.lines;
    return news > 0 && (isMuch || performance.now() - written.atMs >= options.everyMsMax);
  };
  const timer = setInterval(() => isWorthIt() && write(), options.everyMs);
  timer.unref();

  return {
    write,
    async close() {
      clearInterval(timer);
      closing.abort();
      await writing;
      if (source.news > written.news) await write();
    },
  };
};

/** Restores the last snapshot, and keeps the next. @param store what a snapshot is taken of */
export const openSnapshot = async <Kept>(
  format: SnapshotFormat<Kept>,
  options: SnapshotOptions,
  store: SnapshotSource<Kept> & { restore(kept: readonly Kept[]): void },
  diskQueue: DiskQueue,
  logger: Logger,
): Promise<Snapshot> => {
  store.restore(await readSnapshot(format, await findSnapshot(options.folder, format), logger));
  return keepSnapshot(format, options, store, diskQueue, logger);
};
