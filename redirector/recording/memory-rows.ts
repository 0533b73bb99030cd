/**
 * Rows that the disk did not take in time stay in memory, and are written to the file of their segment as soon as the
 * disk takes writes again, so that a process that ends after a stall loses none. Their place in the segment and its
 * name stay the same; the sink deduplicates by that name if they are sent both from memory and, by the next process,
 * from the file.
 */
import fs from 'node:fs/promises';
import { DiskHangsError, type DiskQueue } from '../instance/disk-queue.ts';
import type { DiskRetries } from './disk-retries.ts';
import type { MemoryRows, SegmentContents } from './segment.ts';
import type { SegmentFiles } from './segment-files.ts';

export interface MemoryRowsOptions {
  files: Pick<SegmentFiles, 'store'>;
  /** Whether the disk still has an abandoned write, which may change the file. */
  isHanging(): boolean;
  /** Called when rows have moved from memory to the file. */
  onMoved(contents: SegmentContents, bytes: number): void;
  /** Called when a segment has no rows left in memory. */
  onEmptied(contents: SegmentContents): void;
}

export interface MemoryRowsWriter {
  /**
   * Writes the segment's rows in memory, now and later, until none are left or it is finished. Called once per segment.
   */
  add(contents: SegmentContents): void;
  /** The first rows in memory are in the file: an abandoned write has completed. */
  found(contents: SegmentContents): void;
}

/** Written at once, so that neither a step of the event loop nor the disk's deadline depends on how much waits. */
const pieceBytes = 2 ** 20;

/** The first chunks that fit into a piece, at least one. */
const pieceOf = (chunks: readonly MemoryRows[]): MemoryRows[] => {
  let bytes = 0;
  const end = chunks.findIndex((chunk) => {
    bytes += chunk.frames.length;
    return bytes > pieceBytes;
  });
  return chunks.slice(0, end < 0 ? undefined : Math.max(end, 1));
};

/** Removes bytes that an earlier write may have left behind the segment's. */
const cutTail = ({ file, fileBytes }: SegmentContents): Promise<void> =>
  fileBytes === 0 ? fs.rm(file, { force: true }) : fs.truncate(file, fileBytes);

export const createMemoryRowsWriter = (
  { files, isHanging, onMoved, onEmptied }: MemoryRowsOptions,
  retries: DiskRetries,
  diskQueue: DiskQueue,
): MemoryRowsWriter => {
  const move = (contents: SegmentContents, chunks: number): void => {
    let movedBytes = 0;
    for (const { rows, frames } of contents.chunks.slice(0, chunks)) {
      movedBytes += frames.length;
      contents.memoryRows -= rows;
    }
    contents.memoryBytes -= movedBytes;
    contents.fileBytes += movedBytes;
    contents.chunks = contents.chunks.slice(chunks);
    onMoved(contents, movedBytes);
    if (contents.chunks.length === 0) onEmptied(contents);
  };

  /** One operation of the disk queue. The file is deleted in the same queue, so not before this is done. */
  const writePiece = async (contents: SegmentContents): Promise<void> => {
    if (contents.finished) return;
    if (isHanging()) throw new DiskHangsError('the disk has not completed an abandoned write');
    const piece = pieceOf(contents.chunks);
    contents.fileTried = true;
    await cutTail(contents);
    await files.store(contents.file, Buffer.concat(piece.map(({ frames }) => frames)));
    // If it was finished meanwhile, its rows have already been counted as they were.
    if (!contents.finished) move(contents, piece.length);
  };

  return {
    add(contents) {
      retries.add({
        state: 'in memory',
        file: contents.file,
        async work() {
          while (contents.chunks.length > 0 && !contents.finished) {
            await diskQueue.run(() => writePiece(contents));
          }
        },
        onDone() {},
      });
    },
    found: (contents) => move(contents, 1),
  };
};
