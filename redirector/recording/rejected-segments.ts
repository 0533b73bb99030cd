/**
 * Segments that the sink refuses for good. They are set aside for the operator: once their rows in memory are in the file
 * (memory-rows.ts), it is renamed to an extension that is never sent. Whenever the process is killed, the next one finds all
 * rows under one of the two names. Until the disk has done that, their bytes still count, and their part in memory is bounded.
 */
import fs from 'node:fs/promises';
import type { DiskQueue } from '../instance/disk-queue.ts';
import type { DiskRetries, DiskTask } from './disk-retries.ts';
import type { Journal } from './journal.ts';
import type { SegmentContents } from './segment.ts';
import { setAsideExtension } from './segment-reader.ts';

export interface RejectedSegmentsOptions {
  /** Rejected bytes in memory that the disk does not take; beyond this the oldest are dropped, and counted. */
  memoryBytesMax: number;
  /** Called when bytes of a segment are released. */
  onFreed(fileBytes: number, memoryBytes: number): void;
  journal: Pick<Journal, 'forget'> | undefined;
}

export interface RejectedSegments {
  readonly statistics: {
    /** Since the start. */
    readonly segments: number;
    readonly rows: number;
    /** Segments not set aside yet: still in memory or under their own names. */
    readonly pending: number;
    /** Rows that neither the disk nor memory had room for, since the start. */
    readonly rowsDropped: number;
  };
  add(contents: SegmentContents): void;
}

interface Rejected {
  contents: SegmentContents;
  task: DiskTask;
}

const withoutMemory = (contents: SegmentContents): SegmentContents => ({
  ...contents,
  rows: contents.rows - contents.memoryRows,
  chunks: [],
  memoryRows: 0,
  memoryBytes: 0,
});

/** @throws if neither name has the file */
const rename = async (file: string, target: string): Promise<void> => {
  try {
    await fs.rename(file, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // An earlier attempt, which did not end in time, may have renamed it.
    await fs.access(target);
  }
};

export const createRejectedSegments = (
  { memoryBytesMax, onFreed, journal }: RejectedSegmentsOptions,
  retries: DiskRetries,
  diskQueue: DiskQueue,
): RejectedSegments => {
  const pending = new Set<Rejected>();
  let segments = 0;
  let rows = 0;
  let rowsDropped = 0;

  const setAside = async ({ file, memoryRows }: SegmentContents): Promise<void> => {
    if (memoryRows > 0) throw new Error(`the disk has yet to take ${memoryRows} rows of a refused segment`);
    await diskQueue.run(() => rename(file, `${file}${setAsideExtension}`));
  };

  const forget = (rejected: Rejected): void => {
    pending.delete(rejected);
    onFreed(rejected.contents.fileBytes, rejected.contents.memoryBytes);
  };

  /** Drops the part of a segment that is in memory; the part in its file stays, and is retried. */
  const dropMemory = (rejected: Rejected): void => {
    const { name, fileBytes, memoryRows, memoryBytes } = rejected.contents;
    journal?.forget(name);
    rowsDropped += memoryRows;
    onFreed(0, memoryBytes);
    rejected.contents.finished = true;
    rejected.contents = withoutMemory(rejected.contents);
    if (fileBytes > 0) return;
    retries.drop(rejected.task);
    forget(rejected);
  };

  const boundMemory = (): void => {
    let bytes = 0;
    for (const { contents } of pending) bytes += contents.memoryBytes;
    for (const rejected of pending) {
      if (bytes <= memoryBytesMax) return;
      bytes -= rejected.contents.memoryBytes;
      dropMemory(rejected);
    }
  };

  return {
    statistics: {
      get segments() {
        return segments;
      },
      get rows() {
        return rows;
      },
      get pending() {
        return pending.size;
      },
      get rowsDropped() {
        return rowsDropped;
      },
    },
    add(contents) {
      segments++;
      rows += contents.rows;
      const task: DiskTask = {
        state: 'refused',
        file: contents.file,
        work: () => setAside(rejected.contents),
        onDone: () => forget(rejected),
        onFailed: boundMemory,
      };
      const rejected: Rejected = { contents, task };
      pending.add(rejected);
      retries.add(task);
    },
  };
};
