/**
 * The format of a segment's file, on disk and in the journal: a sequence of frames, each of rows that were stored together.
 *
 *   0   FF 57 53 01   marks a possible start; FF occurs in no UTF-8 text, so no text of a row looks like a marker
 *   4   CRC-32        of the rest of the frame, seeded with the CRC-32 of the segment's name
 *   8   bytes         of the rows
 *   12  number        of the rows
 *   16  the rows      in RowBinary
 *
 * A crash may leave the beginning of a write. A power loss may leave anything: a hole of zeros, or a frame of another
 * file whose blocks were reused. None of these passes: zeros are no marker, and a frame is valid only in the file that
 * it was written to.
 *
 * CRC-32 and not CRC-32C: both find every burst of up to 32 bits, and the damage to detect is an incomplete write.
 * CRC-32 is in Node's zlib, at 3.5 GB a second (1 µs for the frame of an iteration under full load); CRC-32C would need a
 * native package or be 50 times slower. All numbers are little-endian.
 */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

export const headerBytes = 16;
const beginning = Buffer.from([0xff, 0x57, 0x53, 0x01]);
const crcOffset = 4;
const bytesOffset = 8;
const rowsOffset = 12;
/** A frame is a batch or a part of one; anything longer is not a frame. */
const rowsBytesMax = 16 * 2 ** 20;
/** Checked per iteration of the event loop: 0.3 ms … */
const pieceBytes = 2 ** 20;
/** … or 0.5 ms, if each frame has one row, as at low rates. */
const pieceFrames = 1000;

/** The seed of a segment's checksums. */
export const seedOf = (segmentName: string): number => crc32(segmentName);

/** Writes the header of a frame into the {@link headerBytes} free bytes before its rows. */
export const sealFrame = (frame: Buffer, rows: number, seed: number): void => {
  frame.set(beginning);
  frame.writeUInt32LE(frame.length - headerBytes, bytesOffset);
  frame.writeUInt32LE(rows, rowsOffset);
  frame.writeUInt32LE(crc32(frame.subarray(bytesOffset), seed), crcOffset);
};

export interface Frame {
  /** The offset of the header. */
  start: number;
  /** Behind the last row. */
  end: number;
  rows: number;
}

const frameAt = (file: Buffer, start: number, seed: number): Frame | undefined => {
  if (start + headerBytes > file.length) return undefined;
  const bytes = file.readUInt32LE(start + bytesOffset);
  const end = start + headerBytes + bytes;
  if (bytes === 0 || bytes > rowsBytesMax || end > file.length) return undefined;
  if (crc32(file.subarray(start + bytesOffset, end), seed) !== file.readUInt32LE(start + crcOffset)) {
    return undefined;
  }
  return { start, end, rows: file.readUInt32LE(start + rowsOffset) };
};

/** The first whole frame at `from` or after it. */
const nextFrame = (file: Buffer, from: number, seed: number): Frame | undefined => {
  for (let start = from; ; start++) {
    start = file.indexOf(beginning, start);
    if (start < 0) return undefined;
    const frame = frameAt(file, start, seed);
    if (frame) return frame;
  }
};

/** A part of a file outside whole frames. */
export interface Gap {
  start: number;
  end: number;
}

/**
 * Calls back for each whole frame in order, one piece of the file per iteration of the event loop.
 * @returns the parts before, between and after the frames
 */
export const walkFrames = async (
  file: Buffer,
  seed: number,
  onFrame: (frame: Frame) => void,
): Promise<Gap[]> => {
  const gaps: Gap[] = [];
  let at = 0;
  let pieceEnd = pieceBytes;
  let frames = 0;
  while (at < file.length) {
    const frame = nextFrame(file, at, seed);
    const start = frame?.start ?? file.length;
    if (start > at) gaps.push({ start: at, end: start });
    if (frame) onFrame(frame);
    at = frame?.end ?? file.length;
    frames++;
    if (at < pieceEnd && frames < pieceFrames) continue;
    pieceEnd = at + pieceBytes;
    frames = 0;
    await nextIteration();
  }
  return gaps;
};
