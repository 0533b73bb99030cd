/**
 * Rows that the disk did not take in time are kept in memory, and written to the file of their segment as soon as it takes
 * writes again: a process that ends after a stall loses none of them. Their place in the segment stays the same, and its name,
 * by which the sink recognises them if they are sent both from memory and, by the next process, from the file.
 */
import fs from 'node:fs/promises';
import { DiskHangsError, type DiskQueue } from '../instance/disk-queue.ts';
import type { DiskRetries } from './disk-retries.ts';
import type { MemoryRows, SegmentContents } from './segment.ts';
import type { SegmentFiles } from './segment-files.ts';
import { frameOf, seedOf } from './segment-frames.ts';

export interface MemoryRowsOptions {
  files: Pick<SegmentFiles, 'store'>;
  /** Whether the disk still has a write that was given up: the file may be changed by it. */
  isHanging(): boolean;
  /** Called when rows have gone from memory to the file. */
  onMoved(memoryBytes: number, fileBytes: number): void;
  /** Called when a segment has no more rows in memory. */
  onEmptied(contents: SegmentContents): void;
}

export interface MemoryRowsWriter {
  /** Writes what the segment has in memory, now and later, until nothing is left or it is settled. Called once for a segment. */
  add(contents: SegmentContents): void;
  /** The first rows in memory are in the file: a write that was given up has been done. */
  found(contents: SegmentContents, fileBytes: number): void;
}

/** Written at once. Neither a step of the event loop nor the disk's deadline is to depend on how much waits. */
const pieceBytes = 2 ** 20;

/** How many of the chunks make a piece, one at least. */
const pieceOf = (chunks: readonly MemoryRows[]): MemoryRows[] => {
  let bytes = 0;
  const end = chunks.findIndex((chunk) => {
    bytes += chunk.bytes.length;
    return bytes > pieceBytes;
  });
  return chunks.slice(0, end < 0 ? undefined : Math.max(end, 1));
};

/** Removes what an earlier write may have left behind the segment's bytes. */
const cutTail = ({ file, fileBytes }: SegmentContents): Promise<void> =>
  fileBytes === 0 ? fs.rm(file, { force: true }) : fs.truncate(file, fileBytes);

export const createMemoryRowsWriter = (
  { files, isHanging, onMoved, onEmptied }: MemoryRowsOptions,
  retries: DiskRetries,
  diskQueue: DiskQueue,
): MemoryRowsWriter => {
  const move = (contents: SegmentContents, chunks: number, fileBytes: number): void => {
    let movedBytes = 0;
    for (const { rows, bytes } of contents.chunks.slice(0, chunks)) {
      movedBytes += bytes.length;
      contents.memoryRows -= rows;
    }
    contents.memoryBytes -= movedBytes;
    contents.fileBytes += fileBytes;
    contents.chunks = contents.chunks.slice(chunks);
    onMoved(movedBytes, fileBytes);
    if (contents.chunks.length === 0) onEmptied(contents);
  };

  /** One operation of the disk queue, in which the file is also deleted: not before this is done. */
  const writePiece = async (contents: SegmentContents): Promise<void> => {
    if (contents.settled) return;
    if (isHanging()) throw new DiskHangsError('the disk has not done a write that was given up');
    const piece = pieceOf(contents.chunks);
    const rows = piece.reduce((sum, chunk) => sum + chunk.rows, 0);
    const frame = frameOf(
      piece.map(({ bytes }) => bytes),
      rows,
      seedOf(contents.name),
    );
    contents.fileTried = true;
    await cutTail(contents);
    await files.store(contents.file, frame);
    // Settled meanwhile: whoever settled it has counted the rows as they were.
    if (!contents.settled) move(contents, piece.length, frame.length);
  };

  return {
    add(contents) {
      retries.add({
        state: 'in memory',
        file: contents.file,
        async work() {
          while (contents.chunks.length > 0 && !contents.settled) {
            await diskQueue.run(() => writePiece(contents));
          }
        },
        onDone() {},
      });
    },
    found: (contents, fileBytes) => move(contents, 1, fileBytes),
  };
};
