/**
 * Reads what earlier processes left in a spool's folder, in the order it was written. A half-written row at the end of
 * a segment (its response was never sent) is cut off and kept aside.
 *
 * It runs beside live redirects, since the folders of other processes are taken over too: files are read off the event
 * loop, and their bytes are looked through in pieces, with a turn of the loop between them.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import { rowBytesMax, wholeRows } from './row-binary.ts';

const extension = '.rowbinary';
/** Half-written rows are kept under this extension for the operator. */
const setAside = '.rejected';
/** Looked through in one turn of the loop: 0.5 ms, where a segment of 8 MiB takes 32. */
const pieceBytes = 128 * 2 ** 10;

export interface RecoveredSegment {
  file: string;
  rows: number;
  /** Bytes of the whole rows. */
  bytes: number;
  bytesCut: number;
}

/** Counts the whole rows at the beginning of a segment. */
const countRows = async (segment: Buffer): Promise<{ rows: number; bytes: number }> => {
  let rows = 0;
  let bytes = 0;
  for (;;) {
    const piece = wholeRows(segment.subarray(bytes, bytes + pieceBytes + rowBytesMax));
    rows += piece.rows;
    bytes += piece.length;
    if (piece.length < pieceBytes) return { rows, bytes };
    await nextTurn();
  }
};

const recoverSegment = async (file: string, logger: Logger): Promise<RecoveredSegment> => {
  const contents = await fs.readFile(file);
  const { rows, bytes } = await countRows(contents);
  const bytesCut = contents.length - bytes;
  if (bytesCut > 0) {
    logger.warn({ file, rows, bytesCut }, 'spool segment ends in a broken row: cut off');
    await fs.writeFile(`${file}${setAside}`, contents.subarray(bytes));
    await fs.truncate(file, bytes);
  }
  if (rows === 0) await fs.unlink(file);
  return { file, rows, bytes, bytesCut };
};

/** @throws when the folder or a file in it cannot be read */
export const recoverFolder = async (folder: string, logger: Logger): Promise<RecoveredSegment[]> => {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith(extension)).sort();
  const segments: RecoveredSegment[] = [];
  for (const name of names) segments.push(await recoverSegment(path.join(folder, name), logger));
  return segments;
};
