/**
 * Writes batches to the open segment, one write under way at a time. A write that the disk refuses, or has not done in
 * time, is kept in memory instead, and so is the rest of its segment. The next segment is tried on disk again, unless
 * the disk still hangs.
 *
 * A batch that memory has no room for either is refused, and ends the segment, so that the next batch tries the disk again.
 *
 * A write that is done after it was given up changes nothing: only what was written in time counts as the file's, so that
 * each row is in the segment once.
 */
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { beginSegment, createSegmentNames, keepInMemory, type OpenSegment } from './open-segment.ts';
import type { RowBatch } from './row-writer.ts';
import type { SegmentContents } from './segment.ts';
import { createSegmentFiles, type SegmentFiles, type SegmentFilesOptions } from './segment-files.ts';
import { createTimedWrites, type OnWritten, type PendingBatch, type TimedWrites } from './timed-writes.ts';
import { createWriteLog } from './write-log.ts';

export interface SegmentWriterOptions extends SegmentFilesOptions {
  /** A write that takes longer goes on in memory. */
  writeTimeoutMs: number;
  /** A segment is closed at this size. */
  segmentBytesMax: number;
  /** Asked before rows are kept in memory. */
  reserveMemory(bytes: number): boolean;
  /** A segment that will not be written to again; it may be without rows, if it may have a file. */
  onClosed(contents: SegmentContents): void;
}

export interface SegmentWriter {
  /** Batches are stored in their order. `onWritten` is called in this turn of the event loop or in a later one. */
  write(batch: RowBatch, onWritten: OnWritten): void;
  /** When the open segment was begun; undefined if it holds nothing. */
  readonly openedAtMs: number | undefined;
  /** Closes the open segment when the write under way is done. */
  rotate(): void;
  /** Resolves once all batches are stored. */
  drained(): Promise<void>;
  /** Forces the open segment to the disk; of its own accord the writer does so with `always` alone. */
  sync(): Promise<void>;
  readonly writes: Pick<TimedWrites, 'checkDeadline' | 'hanging' | 'hangs'>;
  readonly files: Pick<SegmentFiles, 'retry' | 'syncFailures'>;
}

/** Promises that are resolved together. */
const createWaiters = () => {
  const waiting: (() => void)[] = [];
  return {
    wait: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    resolveAll(): void {
      if (waiting.length > 0) for (const resolve of waiting.splice(0)) resolve();
    },
  };
};

export const createSegmentWriter = (
  options: SegmentWriterOptions,
  diskQueue: DiskQueue,
  logger: Logger,
): SegmentWriter => {
  const { folder, segmentBytesMax } = options;
  const writeLog = createWriteLog(folder, logger);
  const files = createSegmentFiles(options, diskQueue, writeLog, logger);
  const nextName = createSegmentNames();
  const queue: PendingBatch[] = [];
  let open: OpenSegment | undefined;
  let rotating = false;
  const waiters = createWaiters();

  const begin = (): OpenSegment => {
    const asksDisk = !writes.hanging && !diskQueue.hanging;
    return beginSegment(folder, nextName(), asksDisk ? files.create : undefined);
  };

  const end = (): void => {
    rotating = false;
    if (open === undefined) return;
    const { seed: _, disk, ...contents } = open;
    open = undefined;
    if (disk) files.close(disk);
    if (contents.rows > 0 || contents.fileTried) options.onClosed(contents);
  };

  const finish = (segment: OpenSegment, batch: PendingBatch, bytes: number, reusable: boolean): void => {
    if (bytes > 0) segment.rows += batch.rows;
    const isFull = segment.fileBytes + segment.memoryBytes >= segmentBytesMax;
    const takesNoMore = segment.disk === undefined && bytes === 0;
    if (segment === open && (takesNoMore || (segment.rows > 0 && (rotating || isFull)))) end();
    batch.onWritten(bytes, reusable);
  };

  /** The rest of the segment goes to memory as well. */
  const finishInMemory = (segment: OpenSegment, batch: PendingBatch, reusable: boolean): void => {
    finish(segment, batch, keepInMemory(segment, batch, options.reserveMemory), reusable);
  };

  const writes = createTimedWrites(options.writeTimeoutMs, {
    onDone(write) {
      writeLog.succeeded();
      write.segment.fileBytes += write.frame.length;
      finish(write.segment, write, write.frame.length, true);
      next();
    },
    onRefused(write, error) {
      writeLog.failed(error);
      finishInMemory(write.segment, write, true);
      files.close(write.disk);
      next();
    },
    onTimeout(write, error) {
      writeLog.failed(error);
      finishInMemory(write.segment, write, false);
      next();
    },
    onLate({ segment, disk }, error) {
      logger.warn({ err: error ?? undefined, folder, file: disk.path }, 'the disk answers again');
      files.close(disk);
      // Nothing of it counts; and the segment may be gone already.
      if (segment.fileBytes === 0) files.delete(disk);
    },
  });

  const next = (): void => {
    while (!writes.underWay && queue.length > 0) {
      const batch = queue.shift()!;
      open ??= begin();
      if (open.disk) writes.begin(open, open.disk, batch);
      else finishInMemory(open, batch, true);
    }
    if (writes.underWay) return;
    if (rotating) end();
    waiters.resolveAll();
  };

  return {
    write(batch, onWritten) {
      queue.push({ ...batch, onWritten });
      next();
    },
    get openedAtMs() {
      return open && open.rows > 0 ? open.openedAtMs : undefined;
    },
    rotate() {
      if (open === undefined) return;
      rotating = true;
      if (!writes.underWay) end();
    },
    drained: () => (!writes.underWay && queue.length === 0 ? Promise.resolve() : waiters.wait()),
    sync: () => files.sync(open?.disk),
    writes,
    files,
  };
};
