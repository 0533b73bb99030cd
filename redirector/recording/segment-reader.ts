/** Reads the rows of a segment's file: checks the frames and strips them. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { headerBytes, seedOf, walkFrames } from './segment-frames.ts';

export const segmentExtension = '.frames';
/** The extension under which bytes that cannot be sent are kept for the operator. */
export const setAsideExtension = '.rejected';

/** A segment's name: its file's name without the extension. */
export const nameOf = (file: string): string => path.basename(file, path.extname(file));

/**
 * Reads the rows in the first `bytes` of a file. Later bytes were not stored in time and are not part of the segment.
 */
export type RowReader = (file: string, bytes: number) => Promise<Buffer>;

const readStart = async (file: string, into: Buffer, bytes: number): Promise<void> => {
  const handle = await fs.open(file);
  try {
    let read = 0;
    while (read < bytes) {
      const { bytesRead } = await handle.read(into, read, bytes - read, read);
      if (bytesRead === 0) throw new Error(`${file} is shorter than the bytes written to it`);
      read += bytesRead;
    }
  } finally {
    await handle.close();
  }
};

/** Compacts the rows of all whole frames. @returns the rows' bytes, a part of the same buffer */
export const stripFrames = async (bytes: Buffer, segmentName: string): Promise<Buffer> => {
  let end = 0;
  await walkFrames(bytes, seedOf(segmentName), (frame) => {
    end += bytes.copy(bytes, end, frame.start + headerBytes, frame.end);
  });
  return bytes.subarray(0, end);
};

/**
 * Uses one buffer for all segments: new ones would be megabytes a second that only a full garbage collection frees. The
 * rows are valid until the next segment is read.
 */
export const createRowReader = (): RowReader => {
  let buffer = Buffer.alloc(0);
  return async (file, bytes) => {
    if (buffer.length < bytes) buffer = Buffer.allocUnsafeSlow(bytes);
    const contents = buffer.subarray(0, bytes);
    await readStart(file, contents, bytes);
    return stripFrames(contents, nameOf(file));
  };
};
