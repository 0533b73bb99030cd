/**
 * The most recently scanned codes on disk, so that a redirector that starts while everything behind it is down redirects
 * them. A record of the snapshot is revalidated before it is served, if any source answers.
 */
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { type CodeRecord, parseRecord, serializeRecord } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';

export interface SnapshotOptions {
  folder: string;
  codesMax: number;
  everyMs: number;
  /** A write that takes longer is given up, and the previous snapshot stays. */
  timeoutMs: number;
}

export interface Snapshot {
  /** Writes it now, unless a write is under way. Resolves when it is on disk, or when the write is given up. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** Records that are serialized at a time: under a millisecond of the event loop. */
const chunkLines = 500;

function* chunks(records: Iterable<CodeRecord>): Generator<string> {
  let lines: string[] = [];
  let count = 0;
  for (const record of records) {
    lines.push(serializeRecord(record), '\n');
    if (++count % chunkLines === 0) {
      yield lines.join('');
      lines = [];
    }
  }
  yield lines.join('');
}

const fileIn = (folder: string): string => path.join(folder, 'snapshot');

const writtenAtMs = async (file: string): Promise<number> =>
  (await fs.promises.stat(file).catch(() => undefined))?.mtimeMs ?? 0;

/**
 * The folder whose snapshot is to be read: the process's own or, where it has none, the one beside it with the newest
 * snapshot. An additional worker starts with the codes of another worker.
 */
export const findSnapshot = async (folder: string): Promise<string> => {
  if (fs.existsSync(fileIn(folder))) return folder;
  const parent = path.dirname(folder);
  let found = { folder, atMs: 0 };
  for (const name of await fs.promises.readdir(parent)) {
    const candidate = path.join(parent, name);
    const atMs = await writtenAtMs(fileIn(candidate));
    if (atMs > found.atMs) found = { folder: candidate, atMs };
  }
  return found.folder;
};

/**
 * The records of the last snapshot, the most recently scanned first; none if there is no snapshot. A line that cannot
 * be read is left out: a snapshot is a cache, not the truth.
 */
export const readSnapshot = async (folder: string, logger: Logger): Promise<CodeRecord[]> => {
  const file = fileIn(folder);
  if (!fs.existsSync(file)) return [];
  const records: CodeRecord[] = [];
  let unreadable = 0;
  for await (const line of readline.createInterface({ input: fs.createReadStream(file) })) {
    try {
      records.push(parseRecord(line));
    } catch {
      unreadable++;
    }
  }
  if (unreadable > 0) logger.warn({ file, unreadable }, 'lines of the snapshot cannot be read: left out');
  return records;
};

/**
 * @param hotRecords as many of the most recently scanned, these first
 * @param diskQueue each operation on the disk enters it by itself, so that a snapshot does not hold up the spool
 */
export const keepSnapshot = (
  options: SnapshotOptions,
  hotRecords: (max: number) => Iterable<CodeRecord>,
  diskQueue: DiskQueue,
  logger: Logger,
): Snapshot => {
  const file = fileIn(options.folder);

  const writeFile = async (): Promise<void> => {
    const temporary = `${file}.new`;
    const startedAtMs = performance.now();
    // No descriptor is kept between two chunks: a write that is given up leaves none open.
    let flag = 'w';
    for (const chunk of chunks(hotRecords(options.codesMax))) {
      if (performance.now() - startedAtMs > options.timeoutMs)
        throw new Error(`the snapshot has taken more than ${options.timeoutMs} ms`);
      await diskQueue.run(() => fs.promises.writeFile(temporary, chunk, { flag, mode: 0o600 }));
      flag = 'a';
    }
    // Renamed, so that a crash leaves the old one or the new one, never half of it.
    await diskQueue.run(() => fs.promises.rename(temporary, file));
  };

  let writing: Promise<void> | undefined;
  const write = (): Promise<void> => {
    writing ??= writeFile()
      .catch((error) => {
        logger.warn({ err: error, file }, 'the snapshot of held codes cannot be written');
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const timer = setInterval(write, options.everyMs);
  timer.unref();

  return {
    write,
    async close() {
      clearInterval(timer);
      await write();
    },
  };
};
