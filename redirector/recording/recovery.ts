/**
 * Reads the segments that earlier processes left in a spool's folder, in the order of writing. Bytes that are no whole frame
 * are counted and set aside, and the rest is sent. A file that cannot be read is left where it is, and the others go on.
 *
 * Recovery runs beside live redirects, since the folders of other processes are taken over too: files are read off the
 * event loop, and their bytes are checked in pieces, with a turn of the loop between them.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';
import type { SegmentContents } from './segment.ts';
import { type Gap, seedOf, walkFrames } from './segment-frames.ts';
import { nameOf, segmentExtension, setAsideExtension } from './segment-reader.ts';

/** A larger file was not written by a spool. */
const fileBytesMax = 256 * 2 ** 20;

export interface Recovery {
  /** Closed ones, each with a row at least. */
  segments: SegmentContents[];
  /** Bytes that are no scans. */
  bytesCut: number;
  unreadableFiles: number;
}

interface FileContents {
  rows: number;
  /** Parts of the file that hold no rows. */
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

/** Keeps the broken parts for the operator, and cuts off one at the end. Zeros are not kept. */
const setAside = async (file: string, contents: Buffer, gaps: readonly Gap[]): Promise<void> => {
  const broken = gaps.map(({ start, end }) => contents.subarray(start, end)).filter((gap) => !isZeros(gap));
  if (broken.length > 0) await fs.writeFile(`${file}${setAsideExtension}`, Buffer.concat(broken));
  const last = gaps.at(-1);
  if (last?.end === contents.length) await fs.truncate(file, last.start);
};

const readWhole = async (file: string): Promise<Buffer> => {
  const { size } = await fs.stat(file);
  if (size > fileBytesMax)
    throw new Error(`${file} has ${size} bytes: more than ${fileBytesMax} is no segment`);
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
  settled: false,
});

/** @returns the segment, which may be without rows, and the bytes of the file that are no rows */
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
    // The disk may be read-only: whole rows are sent all the same, and the rest is found again at the next start.
    logger.warn({ err: error, file }, 'the broken parts of a spool segment cannot be cut off');
  }
  if (bytesCut > 0)
    logger.warn({ file, rows, bytesCut }, 'a spool segment has broken parts: they are set aside');
  return [closedSegment(file, fileBytes, rows), bytesCut];
};

/** Whether a file in a spool's folder is a segment, by its name. */
export const isSegment = (name: string): boolean => name.endsWith(segmentExtension);

/** @throws when the folder cannot be read */
export const recoverFolder = async (folder: string, logger: Logger): Promise<Recovery> => {
  const names = (await fs.readdir(folder)).filter(isSegment).sort();
  const recovery: Recovery = { segments: [], bytesCut: 0, unreadableFiles: 0 };
  for (const name of names) {
    const file = path.join(folder, name);
    try {
      const [segment, bytesCut] = await recoverSegment(file, logger);
      recovery.bytesCut += bytesCut;
      if (segment.rows > 0) recovery.segments.push(segment);
    } catch (error) {
      recovery.unreadableFiles++;
      logger.error({ err: error, file }, 'a spool segment cannot be read: it is left where it is');
    }
  }
  return recovery;
};
