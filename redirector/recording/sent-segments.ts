/**
 * Segments that the sink has taken, but whose files the disk has not deleted yet. A process that starts meanwhile finds
 * such a file and sends it under the same name, by which the sink deduplicates it.
 */
import fs from 'node:fs/promises';
import type { DiskQueue } from '../instance/disk-queue.ts';
import type { DiskRetries } from './disk-retries.ts';
import type { Journal } from './journal.ts';
import type { SegmentContents } from './segment.ts';

export interface SentSegments {
  readonly count: number;
  /** Deletes the file. Rows in memory are released at once. */
  add(contents: SegmentContents): void;
}

/** Deletes a segment's file, if there may be one. */
const deleteFile = (diskQueue: DiskQueue, file: string, fileTried: boolean): Promise<void> =>
  fileTried ? diskQueue.run(() => fs.rm(file, { force: true })) : Promise.resolve();

/** @param onFreed is called when bytes of a segment are released */
export const createSentSegments = (
  retries: DiskRetries,
  diskQueue: DiskQueue,
  onFreed: (fileBytes: number, memoryBytes: number) => void,
  journal: Pick<Journal, 'forget'> | undefined,
): SentSegments => {
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(contents) {
      const { name, file, fileTried, fileBytes, memoryBytes } = contents;
      // Before the file: rows without their file would be sent again.
      journal?.forget(name);
      contents.finished = true;
      contents.chunks = [];
      count++;
      onFreed(0, memoryBytes);
      retries.add({
        state: 'sent',
        file,
        work: () => deleteFile(diskQueue, file, fileTried),
        onDone() {
          count--;
          onFreed(fileBytes, 0);
        },
      });
    },
  };
};
