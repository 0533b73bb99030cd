/**
 * The spool: scans on disk, from before their response is sent until the sink has them.
 *
 *   append ─▶ open segment ─────▶ closed, waits ───▶ sent      ─▶ file deleted
 *             segment-writer.ts   segment-queue.ts   sent-segments.ts
 *                                               └──▶ rejected  ─▶ file set aside
 *                                                    rejected-segments.ts
 *
 * The spool is a folder of segments. One is open, and is appended to a frame at a time (segment-frames.ts). It is
 * closed once it is large enough, or old enough while nothing else waits to be sent, and is never written again. Its
 * name is the token by which ClickHouse deduplicates. So closed segments are never split or joined: while ClickHouse is
 * slow or down, the open segment grows, and is later sent as few large batches.
 *
 * Nothing here blocks the event loop. One write is under way at a time, and one other operation in the process's disk
 * queue (disk-queue.ts), which the snapshots, the search for other folders and the process's other spools share. So a
 * hanging disk holds one thread of libuv's pool per spool and one for the queue, and one more if it starts to hang
 * while a dead process's folder is being opened (orphan-folders.ts). The pool has one more thread (main.ts) for DNS,
 * all other files, and the compression of segments (insert-body.ts), which waits for nothing.
 *
 * Scans that the disk does not take, or not in time, are kept in memory, up to `memoryBytesMax`, until it takes them
 * after all (memory-rows.ts).
 *
 * If the spool holds `bytesMax`, or memory is full as well, scans are dropped and counted by reason, and the redirect
 * still happens: a phone in somebody's hand is worth more than its row in a table.
 */
import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { createDiskRetries, type DiskRetries } from './disk-retries.ts';
import { type Recovery, recoverFolder } from './recovery.ts';
import { createRejectedSegments, type RejectedSegments } from './rejected-segments.ts';
import type { RowBatch } from './row-writer.ts';
import type { Segment, SegmentContents } from './segment.ts';
import type { SyncMode } from './segment-file.ts';
import { createSegmentQueue } from './segment-queue.ts';
import { createRowReader, type RowReader } from './segment-reader.ts';
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts';
import { createSentSegments } from './sent-segments.ts';
import { createSpoolBudget, type SpoolBudget, type SpoolBudgetOptions } from './spool-budget.ts';
import { startUpkeep } from './spool-upkeep.ts';

export interface SpoolOptions extends SpoolBudgetOptions {
  folder: string;
  /** The open segment is closed at this size … */
  segmentBytesMax: number;
  /** … or at this age, if it is not empty and nothing else waits. Read again at every check: see insert-pace.ts. */
  segmentAgeMs(): number;
  /** When written data is synced to disk. */
  sync: SyncMode;
  /** With `interval`. */
  syncEveryMs: number;
  /** A write that takes longer is abandoned, and continues in memory. */
  writeTimeoutMs: number;
}

/** How often a spool that is closing retries the disk. */
const closingRetryMs = 50;

/** `refused`: the sink refused the segment for good, and neither the disk nor memory had room for it. */
export type DropReason = 'spool_full' | 'disk_error' | 'refused';

/**
 * Called once the rows are stored, or dropped (counted in {@link SpoolStatistics.dropped}).
 * @param reusable false while the disk may still read the batch's buffer
 * @param stored false if they were dropped
 */
export type OnStored = (reusable: boolean, stored: boolean) => void;

export interface Spool {
  /** Stores whole rows, on disk or, if the disk does not take them, in memory. Batches are stored in order. */
  append(batch: RowBatch, onStored: OnStored): void;
  /** The closed segment to send next: the oldest, or, while the disk hangs, the oldest in memory. */
  first(): Segment | undefined;
  /** Rows of all closed segments. */
  closedRows(): number;
  /** How many ms the oldest scan has been here; very many if an earlier process left it, 0 if the spool is empty. */
  oldestAgeMs(): number;
  /**
   * The sink has taken it: it is not sent again, and its file is deleted as soon as the disk allows.
   * @throws if it is not closed, or was already removed
   */
  remove(segment: Segment): void;
  /** Sets aside a segment that the sink refuses for good, for the operator. @throws as {@link remove} does */
  reject(segment: Segment): void;
  /** Adds a listener, called whenever there may be a segment to send. */
  onClosed(callback: () => void): void;
  /** Closes the open segment once everything appended is stored, so that it can be sent. */
  rotate(): Promise<void>;
  readonly statistics: SpoolStatistics;
  /**
   * Closes the open segment and the timers; unsent segments stay on disk. Waits for the disk, if it answers.
   * @param waitMs how long to wait for a disk that has not taken everything
   */
  close(waitMs?: number): Promise<void>;
}

export interface SpoolStatistics {
  bytes: number;
  memoryBytes: number;
  /** Closed and not sent. */
  segments: number;
  /** Sent, with their files not deleted yet. */
  sentSegments: number;
  /** Rows taken, and rows dropped by reason, since the start. */
  appended: number;
  dropped: Record<DropReason, number>;
  /** Rejected since the start; and the rejected segments that are not set aside yet. */
  rejectedSegments: number;
  rejectedRows: number;
  rejectedPending: number;
  /** Found at the start: rows of earlier processes, bytes outside whole frames, and files that could not be read. */
  recoveredRows: number;
  recoveredBytesCut: number;
  unreadableFiles: number;
  /** Whether the disk is past a deadline, and how often a write has been. */
  hanging: boolean;
  hangs: number;
  /** How often answered scans could not be synced to disk, with `interval`. */
  syncFailures: number;
}

/**
 * Resolves once the segments of earlier processes have been read.
 * @param diskQueue for reading, deleting and everything else but writing; operations that it abandons are retried later
 * @param readRows may be shared by spools that are read one at a time
 * @throws if the folder cannot be created or read
 */
export const openSpool = async (
  options: SpoolOptions,
  diskQueue: DiskQueue,
  logger: Logger,
  readRows: RowReader = createRowReader(),
): Promise<Spool> => {
  await fs.mkdir(options.folder, { recursive: true });
  const recovery = await recoverFolder(options.folder, logger);
  return createSpool(options, recovery, await fs.open(options.folder), diskQueue, readRows, logger);
};

const statisticsOf = (
  budget: SpoolBudget,
  { statistics: rejected }: RejectedSegments,
  { writes, files }: SegmentWriter,
  recovery: Recovery,
): Omit<SpoolStatistics, 'segments' | 'sentSegments' | 'hanging'> => ({
  bytes: budget.bytes,
  memoryBytes: budget.memoryBytes,
  appended: budget.appended,
  dropped: { ...budget.dropped, refused: rejected.rowsDropped },
  rejectedSegments: rejected.segments,
  rejectedRows: rejected.rows,
  rejectedPending: rejected.pending,
  recoveredRows: recovery.segments.reduce((sum, { rows }) => sum + rows, 0),
  recoveredBytesCut: recovery.bytesCut,
  unreadableFiles: recovery.unreadableFiles,
  hangs: writes.hangs,
  syncFailures: files.syncFailures,
});

/** Reads the rows of a closed segment, from its file and from memory. */
const readerOf =
  (diskQueue: DiskQueue, readRows: RowReader) =>
  async ({ file, fileBytes, chunks }: SegmentContents): Promise<Buffer> => {
    const rest = chunks.map(({ bytes }) => bytes);
    if (fileBytes === 0) return Buffer.concat(rest);
    const start = await diskQueue.run(() => readRows(file, fileBytes));
    return rest.length === 0 ? start : Buffer.concat([start, ...rest]);
  };

const logLost = ({ memoryBytes }: SpoolBudget, logger: Logger): void => {
  if (memoryBytes === 0) return;
  logger.error({ memoryBytes }, 'scans that the disk did not take are lost at shutdown');
};

/** Tries once to write the rows in memory, then again until the time is over. */
const writeMemory = async (budget: SpoolBudget, retries: DiskRetries, waitMs: number): Promise<void> => {
  for (const deadline = Date.now() + waitMs; budget.memoryBytes > 0; await sleep(closingRetryMs)) {
    retries.retry();
    await retries.idle();
    if (Date.now() >= deadline) return;
  }
};

const createSpool = (
  options: SpoolOptions,
  recovery: Recovery,
  folder: fs.FileHandle,
  diskQueue: DiskQueue,
  readRows: RowReader,
  logger: Logger,
): Spool => {
  const listeners: (() => void)[] = [];
  const budget = createSpoolBudget(options);

  const read = readerOf(diskQueue, readRows);
  const retries = createDiskRetries(logger);
  const sent = createSentSegments(retries, diskQueue, budget.free);
  // Scans that can still be sent come first; there is room for one segment.
  const rejectedOptions = { memoryBytesMax: options.memoryBytesMax / 3, read, onFreed: budget.free };
  const rejected = createRejectedSegments(rejectedOptions, retries, diskQueue);
  const closed = createSegmentQueue(read);
  for (const segment of recovery.segments) {
    budget.addRecovered(segment.fileBytes);
    closed.add(segment);
  }

  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const onClosed = (contents: SegmentContents): void => {
    if (contents.rows === 0) return sent.add(contents);
    closed.add(contents);
    notify();
  };
  /** Segments on disk can be sent again, and waiting writes retried. */
  const onDiskBack = (): void => {
    notify();
    retries.retry();
  };
  const writerOptions = { ...options, folderDescriptor: folder.fd, onDiskBack, onClosed };
  const writer = createSegmentWriter(writerOptions, budget, retries, diskQueue, logger);

  const isHanging = (): boolean => writer.writes.hanging || diskQueue.hanging;
  const first = (): Segment | undefined => closed.first(isHanging());
  const rotateIfDue = (): void => {
    const { openedAtMs } = writer;
    if (openedAtMs === undefined || first() !== undefined) return;
    if (Date.now() - openedAtMs >= options.segmentAgeMs()) writer.rotate();
  };
  const upkeep = startUpkeep(options, {
    writer,
    isEmpty: () => budget.isEmpty && closed.size === 0 && sent.count === 0,
    isHanging,
    onDiskBack,
    rotateIfDue,
    retry: retries.retry,
  });

  const rotate = async (): Promise<void> => {
    await writer.drained();
    writer.rotate();
  };

  return {
    append(batch, onStored) {
      const batchBytes = batch.frame.length;
      if (!budget.admit(batchBytes, batch.rows)) return onStored(true, false);
      upkeep.watch();
      writer.write(batch, (storedBytes, reusable) => {
        budget.finish(batchBytes, batch.rows, storedBytes);
        onStored(reusable, storedBytes > 0);
      });
    },
    first,
    closedRows: () => closed.rows(),
    oldestAgeMs() {
      const sinceMs = closed.openedAtMs() ?? writer.openedAtMs ?? writer.pendingSinceMs();
      return sinceMs === undefined ? 0 : Math.max(1, Date.now() - sinceMs);
    },
    remove(segment) {
      sent.add(closed.take(segment));
      rotateIfDue();
    },
    reject: (segment) => rejected.add(closed.take(segment)),
    onClosed: (callback) => void listeners.push(callback),
    rotate,
    get statistics() {
      const counts = { segments: closed.size, sentSegments: sent.count, hanging: isHanging() };
      return { ...counts, ...statisticsOf(budget, rejected, writer, recovery) };
    },
    async close(waitMs = 0) {
      await rotate();
      await writeMemory(budget, retries, waitMs);
      upkeep.stop();
      await retries.idle();
      await diskQueue.idle();
      logLost(budget, logger);
      if (!isHanging()) await diskQueue.run(() => folder.close());
    },
  };
};
