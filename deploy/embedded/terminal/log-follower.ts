/**
 * Shows the important lines of a log file while it grows. Parts write to files, so that they can keep writing if this
 * process is killed.
 */
import { closeSync, copyFileSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';
import { fileBytes } from '../file-size.ts';
import { readLogLine } from './log-lines.ts';

const intervalMs = 250;
/** The number of lines shown at once: a part in trouble may write thousands a second. The file has them all. */
const shownMax = 5;
/** A larger file is copied to `.1` and truncated, so that a part has at most two of this size. */
const fileBytesMax = 20 * 2 ** 20;
const chunkBytesMax = 2 ** 20;

/** The lines appended since, at most a chunk; complete lines only. */
const readFrom = (file: string, offset: number): string => {
  const fd = openSync(file, 'r');
  try {
    const length = Math.min(fstatSync(fd).size - offset, chunkBytesMax);
    if (length <= 0) return '';
    const bytes = Buffer.alloc(length);
    const read = readSync(fd, bytes, 0, length, offset);
    const end = bytes.subarray(0, read).lastIndexOf(0x0a);
    // A line longer than a chunk comes in pieces.
    return bytes.toString('utf8', 0, end === -1 && read === chunkBytesMax ? read : end + 1);
  } finally {
    closeSync(fd);
  }
};

/**
 * @param show called with each line, without its newline
 * @returns a function that stops following, after reading once more
 */
export const followLog = (file: string, show: (line: string) => void): (() => void) => {
  let offset = fileBytes(file);

  const rotate = (): void => {
    if (offset < fileBytesMax) return;
    copyFileSync(file, `${file}.1`);
    // The part appends (O_APPEND), so it continues at the new end.
    truncateSync(file);
    offset = 0;
  };

  const readNew = (): void => {
    if (fileBytes(file) < offset) offset = 0;
    if (fileBytes(file) === offset) return;
    const text = readFrom(file, offset);
    offset += Buffer.byteLength(text);
    const lines = text
      .split('\n')
      .map(readLogLine)
      .filter(({ important }) => important);
    for (const line of lines.slice(0, shownMax)) show(line.text);
    if (lines.length > shownMax) show(`… and ${lines.length - shownMax} more lines in ${file}`);
    rotate();
  };

  const timer = setInterval(readNew, intervalMs);
  return () => {
    clearInterval(timer);
    readNew();
  };
};
