/**
 * Reads the segments that earlier processes left in a spool's folder, in the order of writing. Bytes outside whole
 * frames are counted and set aside, and the rest is sent. A file that cannot be read is left in place, and the others
 * are processed.
 *
 * Rows that the journal has and their segment's file does not, are in memory at first, as rows are that the disk did not take.
 *
 * Recovery runs alongside live redirects, because folders of other processes are taken over too: files are read off the
 * event loop, and their bytes are checked in pieces, with an iteration of the loop between them.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';
import { type KeptJournalFile, type LeftJournalFile, listJournal } from './journal.ts';
import type { MemoryRows, SegmentContents } from './segment.ts';
import { type Gap, seedOf, walkFrames } from './segment-frames.ts';
import { nameOf, segmentExtension, setAsideExtension } from './segment-reader.ts';

/** No spool writes a larger file. */
const fileBytesMax = 256 * 2 ** 20;

export interface Recovery {
  /** Closed segments, each with at least one row. */
  segments: SegmentContents[];
  /** Bytes outside whole frames. */
  bytesCut: number;
  unreadableFiles: number;
  /** The names of segments whose files could not be read. */
  unreadable: Set<string>;
  /** The files of the journal whose rows are in memory. */
  journal: KeptJournalFile[];
}

interface FileContents {
  rows: number;
  /** Parts of the file without rows. */
  gaps: Gap[];
}

const readFrames = async (file: Buffer, segmentName: string): Promise<FileContents> => {
  let rows = 0;
  const gaps = await walkFrames(file, seedOf(segmentName), (frame) => {
    rows += frame.rows;
  });
  return { rows, gaps };
};

const isZeros = (bytes: Buffer): boolean => bytes.equals(Buffer.alloc(bytes.length));

const gapBytes = (gaps: readonly Gap[]): number => gaps.reduce((sum, { start, end }) => sum + end - start, 0);

/** Keeps the broken parts for the operator, and cuts off a broken tail. Zeros are not kept. */
const setAside = async (file: string, contents: Buffer, gaps: readonly Gap[]): Promise<void> => {
  const broken = gaps.map(({ start, end }) => contents.subarray(start, end)).filter((gap) => !isZeros(gap));
  if (broken.length > 0) await fs.writeFile(`${file}${setAsideExtension}`, Buffer.concat(broken));
  const last = gaps.at(-1);
  if (last?.end === contents.length) await fs.truncate(file, last.start);
};

const readWhole = async (file: string): Promise<Buffer> => {
  const { size } = await fs.stat(file);
  if (size > fileBytesMax)
    throw new Error(`${file} has ${size} bytes: a segment has at most ${fileBytesMax}`);
  return fs.readFile(file);
};

const closedSegment = (file: string, fileBytes: number, rows: number): SegmentContents => ({
  name: nameOf(file),
  file,
  fileTried: true,
  fileBytes,
  rows,
  openedAtMs: 0,
  chunks: [],
  memoryRows: 0,
  memoryBytes: 0,
  closed: true,
  finished: false,
});

/** @returns the segment, which may have no rows, and the file's bytes outside whole frames */
const recoverSegment = async (file: string, logger: Logger): Promise<[SegmentContents, bytesCut: number]> => {
  const contents = await readWhole(file);
  const { rows, gaps } = await readFrames(contents, nameOf(file));
  const last = gaps.at(-1);
  const fileBytes = last?.end === contents.length ? last.start : contents.length;
  const bytesCut = gapBytes(gaps);
  try {
    if (bytesCut > 0) await setAside(file, contents, gaps);
    if (rows === 0) await fs.unlink(file);
  } catch (error) {
    // The disk may be read-only: whole rows are sent anyway, and the next start finds the rest again.
    logger.warn({ err: error, file }, 'could not cut off the broken parts of a spool segment');
  }
  if (bytesCut > 0) logger.warn({ file, rows, bytesCut }, 'set aside the broken parts of a spool segment');
  return [closedSegment(file, fileBytes, rows), bytesCut];
};

/** Whether a file in a spool's folder is a segment, by its name. */
export const isSegment = (name: string): boolean => name.endsWith(segmentExtension);

/** @throws if the folder cannot be read */
export const recoverFolder = async (
  folder: string,
  journal: string | undefined,
  logger: Logger,
): Promise<Recovery> => {
  const recovery = await recoverFiles(folder, logger);
  if (journal !== undefined) await recoverJournal(folder, journal, recovery, logger);
  return recovery;
};

const recoverFiles = async (folder: string, logger: Logger): Promise<Recovery> => {
  const names = (await fs.readdir(folder)).filter(isSegment).sort();
  const recovery: Recovery = {
    segments: [],
    bytesCut: 0,
    unreadableFiles: 0,
    unreadable: new Set(),
    journal: [],
  };
  for (const name of names) {
    const file = path.join(folder, name);
    try {
      const [segment, bytesCut] = await recoverSegment(file, logger);
      recovery.bytesCut += bytesCut;
      if (segment.rows > 0) recovery.segments.push(segment);
    } catch (error) {
      recovery.unreadableFiles++;
      recovery.unreadable.add(nameOf(file));
      logger.error({ err: error, file }, 'could not read a spool segment; it stays in place');
    }
  }
  return recovery;
};

/** The frames of a file of the journal whose rows come after the first `rows` rows of their segment. */
const missingFrames = async (
  { path, segment, firstRow }: LeftJournalFile,
  rows: number,
): Promise<MemoryRows> => {
  const contents = await readWhole(path);
  const missing: Buffer[] = [];
  let row = firstRow;
  await walkFrames(contents, seedOf(segment), (frame) => {
    if (row >= rows) missing.push(contents.subarray(frame.start, frame.end));
    row += frame.rows;
  });
  return { rows: Math.max(0, row - Math.max(firstRow, rows)), frames: Buffer.concat(missing) };
};

const addMissing = (contents: SegmentContents, missing: MemoryRows): void => {
  contents.chunks.push(missing);
  contents.rows += missing.rows;
  contents.memoryRows += missing.rows;
  contents.memoryBytes += missing.frames.length;
};

/**
 * Adds the rows of the journal that no file has, and deletes its other files. Those of a segment whose file could not be read stay: it
 * is not known which rows the file has.
 */
const recoverJournal = async (
  folder: string,
  journal: string,
  recovery: Recovery,
  logger: Logger,
): Promise<void> => {
  const byName = new Map(recovery.segments.map((segment) => [segment.name, segment]));
  for (const left of await listJournal(journal)) {
    if (recovery.unreadable.has(left.segment)) continue;
    try {
      const file = path.join(folder, `${left.segment}${segmentExtension}`);
      const contents = byName.get(left.segment) ?? { ...closedSegment(file, 0, 0), fileTried: false };
      const missing = await missingFrames(left, contents.rows);
      if (missing.rows === 0) {
        await fs.unlink(left.path);
        continue;
      }
      addMissing(contents, missing);
      const endRow = contents.rows;
      recovery.journal.push({ ...left, endRow, bytes: missing.frames.length });
      if (byName.has(left.segment)) continue;
      byName.set(left.segment, contents);
      recovery.segments.push(contents);
    } catch (error) {
      recovery.unreadableFiles++;
      logger.error(
        { err: error, file: left.path },
        'could not read a file of RUNTIME_DIR; it stays in place',
      );
    }
  }
  recovery.segments.sort((a, b) => (a.name < b.name ? -1 : 1));
};
