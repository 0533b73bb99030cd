/**
 * The journal of a spool: answered rows in memory that outlives the process, until the disk has them.
 *
 *   RUNTIME_DIR/…/spool/<segment>.<first row>.frames     the frames of the segment, from that row on
 *
 * Its files have the format of segments (segment-frames.ts), and lie on tmpfs. A write to tmpfs copies bytes and waits for no
 * disk, so the event loop makes it itself: 1.7 µs for a row, where a thread of libuv's pool costs 15 (two context switches and a
 * wake-up). A mapping (mmap) takes 0.3 µs, but needs a native package, and kills the process (SIGBUS) if the memory is full.
 *
 * The row's number in its segment says what the disk lacks: after a kill, the segment's file has its first rows, and the journal
 * the rest (recovery.ts). A file is deleted once the disk has its rows. Another one begins after {@link fileBytesMax}, so
 * that little is kept twice.
 */
import fs from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';
import { segmentExtension } from './segment-reader.ts';

/** A file takes no more rows at this size. */
const fileBytesMax = 2 ** 18;

export interface Journal {
  /** Whether it is worth trying: not right after it has taken nothing. */
  readonly takes: boolean;
  /**
   * Stores frames of the segment, which hold its rows from `firstRow` on.
   * @param from offset of the frames in the buffer
   * @returns false if the memory does not take them: nothing of them is stored
   */
  store(segment: string, firstRow: number, rows: number, buffer: Buffer, from: number, to: number): boolean;
  /** The disk has the first rows of the segment. @param rows how many */
  moved(segment: string, rows: number): void;
  /** The segment is sent, or wholly on disk. */
  forget(segment: string): void;
  /** Bytes in its files. */
  readonly bytes: number;
  /** How often the memory has not taken rows, since the start. */
  readonly refusals: number;
  close(): void;
}

interface JournalFile {
  path: string;
  firstRow: number;
  /** The number of the row behind its last. */
  endRow: number;
  bytes: number;
}

/** A file that an earlier process left. */
export interface LeftJournalFile {
  path: string;
  segment: string;
  firstRow: number;
}

/** One whose rows the disk does not have. */
export interface KeptJournalFile extends LeftJournalFile {
  endRow: number;
  bytes: number;
}

const namePattern = /^(.+)\.(\d{10})$/;

const pathOf = (folder: string, segment: string, firstRow: number): string =>
  path.join(folder, `${segment}.${String(firstRow).padStart(10, '0')}${segmentExtension}`);

/** The files in a journal's folder, in the order of their rows. @throws if it cannot be read */
export const listJournal = async (folder: string): Promise<LeftJournalFile[]> => {
  const left: LeftJournalFile[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const [, segment, firstRow] = namePattern.exec(path.basename(name, segmentExtension)) ?? [];
    if (segment !== undefined)
      left.push({ path: path.join(folder, name), segment, firstRow: Number(firstRow) });
  }
  return left;
};

/** Writes all bytes. @throws if the file system takes only a part, which may be in the file */
const writeWhole = (fd: number, buffer: Buffer, from: number, to: number): void => {
  const written = fs.writeSync(fd, buffer, from, to - from);
  if (written < to - from) throw new Error(`the memory took ${written} of ${to - from} bytes`);
};

const addTo = (filesOf: Map<string, JournalFile[]>, segment: string, file: JournalFile): void => {
  const files = filesOf.get(segment);
  if (files) files.push(file);
  else filesOf.set(segment, [file]);
};

/** How long the memory is not tried again after it has taken nothing; it doubles, because each try ends two segments … */
const pauseMinMs = 1000;
/** … up to this. */
const pauseMaxMs = 30_000;

/** When the memory is tried. */
const createTries = () => {
  let failures = 0;
  let pauseMs = 0;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return {
    get due() {
      return performance.now() - failedAtMs >= pauseMs;
    },
    /** @returns whether the try before succeeded */
    failed(): boolean {
      failedAtMs = performance.now();
      pauseMs = Math.min(pauseMinMs * 2 ** failures, pauseMaxMs);
      return failures++ === 0;
    },
    succeeded(): void {
      failures = 0;
    },
  };
};

/**
 * @param folder exists, on a file system that never waits for a disk
 * @param left files of an earlier process, which are deleted once the disk has their rows
 */
export const openJournal = (folder: string, logger: Logger, left: readonly KeptJournalFile[]): Journal => {
  /** By segment, in the order of their rows; only the last file of all is open. */
  const filesOf = new Map<string, JournalFile[]>();
  let open: { segment: string; fd: number; file: JournalFile } | undefined;
  let bytes = 0;
  let refusals = 0;
  const tries = createTries();

  for (const { segment, path: file, firstRow, endRow, bytes: fileBytes } of left) {
    addTo(filesOf, segment, { path: file, firstRow, endRow, bytes: fileBytes });
    bytes += fileBytes;
  }

  const failed = (error: unknown): void => {
    refusals++;
    if (tries.failed())
      logger.error(
        { err: error, folder },
        'RUNTIME_DIR does not take scans: they are answered once they are on disk',
      );
  };

  const closeOpen = (): void => {
    if (open === undefined) return;
    fs.closeSync(open.fd);
    open = undefined;
  };

  const begin = (segment: string, firstRow: number) => {
    closeOpen();
    const file: JournalFile = {
      path: pathOf(folder, segment, firstRow),
      firstRow,
      endRow: firstRow,
      bytes: 0,
    };
    open = { segment, fd: fs.openSync(file.path, 'ax', 0o600), file };
    addTo(filesOf, segment, file);
    return open;
  };

  const remove = (file: JournalFile): void => {
    if (open?.file === file) closeOpen();
    bytes -= file.bytes;
    try {
      fs.rmSync(file.path, { force: true });
    } catch (error) {
      logger.error(
        { err: error, file: file.path },
        'could not delete a file of RUNTIME_DIR: the next start may send its scans again',
      );
    }
  };

  return {
    get takes() {
      return tries.due;
    },
    store(segment, firstRow, rows, buffer, from, to) {
      try {
        if (open?.segment !== segment || open.file.bytes >= fileBytesMax) begin(segment, firstRow);
        const { fd, file } = open!;
        try {
          writeWhole(fd, buffer, from, to);
        } catch (error) {
          fs.ftruncateSync(fd, file.bytes);
          throw error;
        }
        file.endRow = firstRow + rows;
        file.bytes += to - from;
        bytes += to - from;
        tries.succeeded();
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    },
    moved(segment, rows) {
      const files = filesOf.get(segment);
      while (files !== undefined && files.length > 0 && files[0]!.endRow <= rows && files[0] !== open?.file) {
        remove(files.shift()!);
      }
    },
    forget(segment) {
      for (const file of filesOf.get(segment) ?? []) remove(file);
      filesOf.delete(segment);
    },
    get bytes() {
      return bytes;
    },
    get refusals() {
      return refusals;
    },
    close: closeOpen,
  };
};
