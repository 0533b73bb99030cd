/**
 * Writes batches to the open segment, one write under way at a time. A batch whose write the disk refuses, or does not
 * complete in time, is kept in memory instead, and so is the rest of its segment, until the disk has taken it after all
 * (memory-rows.ts). Then the segment is closed, and the next one is tried on disk again.
 *
 * A batch that does not fit into memory either is refused and ends the segment, so that the next batch tries the disk
 * again.
 *
 * An abandoned write that completes later replaces its rows in memory, so that each row is in the segment once. If the
 * segment has been sent from memory meanwhile, its file is deleted.
 */
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { type CurrentSegmentOptions, createCurrentSegment } from './current-segment.ts';
import type { DiskRetries } from './disk-retries.ts';
import type { Journal } from './journal.ts';
import { createMemoryRowsWriter } from './memory-rows.ts';
import { keepInMemory, type OpenSegment } from './open-segment.ts';
import type { RowBatch } from './row-batches.ts';
import type { SegmentContents } from './segment.ts';
import { createSegmentFiles, type SegmentFiles, type SegmentFilesOptions } from './segment-files.ts';
import type { SpoolBudget } from './spool-budget.ts';
import { createTimedWrites, type OnWritten, type PendingBatch, type TimedWrites } from './timed-writes.ts';
import { createWriteLog } from './write-log.ts';

export interface SegmentWriterOptions extends SegmentFilesOptions, CurrentSegmentOptions {
  /** A write that takes longer is abandoned, and continues in memory. */
  writeTimeoutMs: number;
  /** An abandoned write has ended: operations that wait for the disk may be retried. */
  onDiskBack(): void;
}

export interface SegmentWriter {
  /** The segment of a batch that is about to be gathered. Each batch begun must be written. */
  begin(journaled: boolean): OpenSegment;
  /**
   * Stores batches in the order in which they began. `onWritten` is called in this iteration of the event loop or a later
   * one.
   */
  write(segment: OpenSegment, batch: RowBatch, onWritten: OnWritten): void;
  /** The batch begun in the segment is not written. */
  drop(segment: OpenSegment): void;
  /** When the open segment was begun; undefined if it is empty. */
  readonly openedAtMs: number | undefined;
  /** When the oldest unclosed segment was begun; undefined if all are closed. */
  readonly oldestSinceMs: number | undefined;
  /** Takes the rows that an earlier process left in the journal, in a closed segment. */
  takeLeft(contents: SegmentContents): void;
  /** Closes the open segment once its batches are stored. */
  rotate(): void;
  /** Resolves once all batches are stored. */
  drained(): Promise<void>;
  /** Syncs the open segment to disk; the writer itself syncs only with `always`. */
  sync(): Promise<void>;
  readonly writes: Pick<TimedWrites, 'checkDeadline' | 'hanging' | 'hangs'>;
  readonly files: Pick<SegmentFiles, 'retry' | 'syncFailures'>;
}

/** Promises that resolve together. */
const createWaiters = () => {
  const waiting: (() => void)[] = [];
  return {
    wait: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    resolveAll(): void {
      if (waiting.length > 0) for (const resolve of waiting.splice(0)) resolve();
    },
  };
};

/** The segment that takes batches, and the rows that segments have in memory. The journal is freed of what is on disk. */
const createSegments = (
  options: CurrentSegmentOptions,
  { files, isHanging, asksDisk }: { files: SegmentFiles; isHanging(): boolean; asksDisk(): boolean },
  budget: Pick<SpoolBudget, 'move'>,
  journal: Journal | undefined,
  retries: DiskRetries,
  diskQueue: DiskQueue,
) => {
  const forgetIfOnDisk = (contents: SegmentContents): void => {
    if (contents.closed && contents.memoryBytes === 0) journal?.forget(contents.name);
  };
  const onClosed = (contents: SegmentContents): void => {
    forgetIfOnDisk(contents);
    options.onClosed(contents);
  };
  const current = createCurrentSegment({ ...options, onClosed }, files, asksDisk);
  const onMoved = (contents: SegmentContents, bytes: number): void => {
    budget.move(bytes);
    journal?.moved(contents.name, contents.rows - contents.memoryRows);
  };
  const onEmptied = (contents: SegmentContents): void => {
    if (contents === current.open) current.end();
    else forgetIfOnDisk(contents);
  };
  const memoryRows = createMemoryRowsWriter({ files, isHanging, onMoved, onEmptied }, retries, diskQueue);
  return { current, memoryRows };
};

export const createSegmentWriter = (
  options: SegmentWriterOptions,
  budget: Pick<SpoolBudget, 'reserveMemory' | 'move'>,
  journal: Journal | undefined,
  retries: DiskRetries,
  diskQueue: DiskQueue,
  logger: Logger,
): SegmentWriter => {
  const writeLog = createWriteLog(options.folder, logger);
  const files = createSegmentFiles(options, diskQueue, writeLog, logger);
  const queue: PendingBatch[] = [];
  const { current, memoryRows } = createSegments(
    options,
    { files, isHanging: () => writes.hanging, asksDisk: () => !writes.hanging && !diskQueue.hanging },
    budget,
    journal,
    retries,
    diskQueue,
  );
  const waiters = createWaiters();

  const finish = (batch: PendingBatch, bytes: number, reusable: boolean): void => {
    current.stored(batch.segment, batch.rows, bytes);
    batch.onWritten(bytes, reusable);
  };

  /** Sends the rest of the segment to memory as well. @returns whether memory has room */
  const finishInMemory = (batch: PendingBatch, reusable: boolean): boolean => {
    const { segment } = batch;
    const { disk } = segment;
    const bytes = keepInMemory(segment, batch, budget.reserveMemory);
    if (bytes > 0 && bytes === segment.memoryBytes) memoryRows.add(segment);
    // An abandoned write still has it.
    if (reusable && disk) files.close(disk);
    finish(batch, bytes, reusable);
    return bytes > 0;
  };

  const writes = createTimedWrites(options.writeTimeoutMs, {
    onDone(write) {
      writeLog.succeeded();
      const { segment, frames } = write;
      segment.fileBytes += frames.length;
      journal?.moved(segment.name, segment.rows + write.rows);
      finish(write, frames.length, true);
      next();
    },
    onRefused(write, error) {
      writeLog.failed(error);
      finishInMemory(write, true);
      next();
    },
    onTimeout(write, error) {
      writeLog.failed(error);
      write.kept = finishInMemory(write, false);
      next();
    },
    onLate({ segment, disk, kept }, error) {
      logger.warn({ err: error ?? undefined, file: disk.path }, 'the disk answers again');
      files.close(disk);
      if (segment.finished) {
        // Its rows were sent or refused; and the file may have been created after it was deleted.
        if (segment.fileBytes === 0) files.delete(disk);
      } else if (kept && !error) memoryRows.found(segment);
      options.onDiskBack();
    },
  });

  const next = (): void => {
    while (!writes.underWay && queue.length > 0) {
      const batch = queue.shift()!;
      const { disk } = batch.segment;
      // A segment that began before the disk was known to hang has one.
      if (disk && !writes.hanging) writes.begin(disk, batch);
      else finishInMemory(batch, true);
    }
    if (!writes.underWay) waiters.resolveAll();
  };

  return {
    begin: (journaled) => current.begin(Date.now(), journaled),
    write(segment, batch, onWritten) {
      queue.push({ ...batch, segment, onWritten });
      next();
    },
    drop: (segment) => current.stored(segment, 0, 0),
    get openedAtMs() {
      return current.open?.rows ? current.open.openedAtMs : undefined;
    },
    get oldestSinceMs() {
      return current.oldest?.openedAtMs;
    },
    takeLeft: memoryRows.add,
    rotate: current.end,
    drained: () => (!writes.underWay && queue.length === 0 ? Promise.resolve() : waiters.wait()),
    sync: () => files.sync(current.open?.disk),
    writes,
    files,
  };
};
