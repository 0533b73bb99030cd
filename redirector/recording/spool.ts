/**
 * The spool: scans from before their response is sent until the sink has them.
 *
 *   begin ─▶ rows in the journal ─▶ append: open segment ─▶ closed, waits ───▶ sent      ─▶ file deleted
 *            journal.ts             segment-writer.ts       segment-queue.ts   sent-segments.ts
 *                                                                         └──▶ rejected  ─▶ file set aside
 *                                                                              rejected-segments.ts
 *
 * The journal is memory that outlives the process: a row that it has is answered before the disk has it. Without a journal,
 * or if it takes no more, a row is answered once the disk has it.
 *
 * The spool is a folder of segments. One is open, and is appended to a frame at a time (segment-frames.ts). It is
 * closed once it is large enough, or old enough while nothing else waits to be sent, and is never written again. Its
 * name is the token by which ClickHouse deduplicates. So closed segments are never split or joined: while ClickHouse is
 * slow or down, the open segment grows, and is later sent as few large batches.
 *
 * Nothing here blocks the event loop, but the journal's writes to tmpfs. One write is under way at a time, and one other operation in the process's disk
 * queue (disk-queue.ts), which the snapshots, the search for other folders and the process's other spools share. So a
 * hanging disk holds one thread of libuv's pool per spool and one for the queue, and one more if it starts to hang
 * while a dead process's folder is being opened (orphan-folders.ts). The pool has one more thread (main.ts) for DNS,
 * all other files, and the compression of segments (insert-body.ts), which waits for nothing.
 *
 * Scans that the disk does not take, or not in time, are kept in memory, up to `memoryBytesMax`, until it takes them
 * after all (memory-rows.ts). As long as they are in the journal too, the next process finds them there.
 *
 * If the spool holds `bytesMax`, or memory is full as well, scans are dropped and counted by reason, and the redirect
 * still happens: a phone in somebody's hand is worth more than its row in a table.
 */
import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { createDiskRetries, type DiskRetries } from './disk-retries.ts';
import { type Journal, openJournal } from './journal.ts';
import type { OpenSegment } from './open-segment.ts';
import { type Recovery, recoverFolder } from './recovery.ts';
import { createRejectedSegments, type RejectedSegments } from './rejected-segments.ts';
import type { RowBatch } from './row-batches.ts';
import type { Segment, SegmentContents } from './segment.ts';
import type { SyncMode } from './segment-file.ts';
import { createSegmentQueue, type SegmentQueue } from './segment-queue.ts';
import { createRowReader, type RowReader, stripFrames } from './segment-reader.ts';
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts';
import { createSentSegments } from './sent-segments.ts';
import { createSpoolBudget, type SpoolBudget, type SpoolBudgetOptions } from './spool-budget.ts';
import { startUpkeep } from './spool-upkeep.ts';

export interface SpoolOptions extends SpoolBudgetOptions {
  folder: string;
  /** The folder of the journal, on tmpfs; undefined for none. */
  journal: string | undefined;
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

/** Where the rows of a batch go. */
export interface Place {
  /** Of the checksums of its frames. */
  readonly seed: number;
  /** Whether `store` may be called: rows are answered once it has taken them. Otherwise once the batch is stored. */
  readonly journaled: boolean;
  /**
   * Stores frames with the next rows of the batch in the journal.
   * @param from offset of the frames in the buffer
   * @returns false if it does not take them: then the batch must be handed over, and its answers wait
   */
  store(rows: number, buffer: Buffer, from: number, to: number): boolean;
}

export interface Spool {
  /**
   * Begins a batch. It must be appended, even if it has no rows.
   * @param bytesMax of the batch
   */
  begin(bytesMax: number): Place;
  /** Stores a batch, on disk or, if the disk does not take it, in memory. Batches are stored in order. */
  append(place: Place, batch: RowBatch, onStored: OnStored): void;
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
  /** Bytes in the journal; and how often it has not taken rows. */
  journalBytes: number;
  journalRefusals: number;
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
  if (options.journal !== undefined) await fs.mkdir(options.journal, { recursive: true, mode: 0o700 });
  const recovery = await recoverFolder(options.folder, options.journal, logger);
  return createSpool(options, recovery, await fs.open(options.folder), diskQueue, readRows, logger);
};

const statisticsOf = (
  budget: SpoolBudget,
  { statistics: rejected }: RejectedSegments,
  { writes, files }: SegmentWriter,
  recovery: Recovery,
  journal: Journal | undefined,
): Omit<SpoolStatistics, 'segments' | 'sentSegments' | 'hanging'> => ({
  bytes: budget.bytes,
  memoryBytes: budget.memoryBytes,
  journalBytes: journal?.bytes ?? 0,
  journalRefusals: journal?.refusals ?? 0,
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
  async ({ name, file, fileBytes, chunks }: SegmentContents): Promise<Buffer> => {
    const rest = await stripFrames(Buffer.concat(chunks.map(({ frames }) => frames)), name);
    if (fileBytes === 0) return rest;
    const start = await diskQueue.run(() => readRows(file, fileBytes));
    return rest.length === 0 ? start : Buffer.concat([start, rest]);
  };

/** Says what the process holds at its end. */
const logHeld = ({ memoryBytes }: SpoolBudget, journal: Journal | undefined, logger: Logger): void => {
  if (memoryBytes === 0) return;
  const journalBytes = journal?.bytes ?? 0;
  if (journalBytes > 0)
    logger.warn(
      { memoryBytes, journalBytes },
      'scans that the disk did not take wait in RUNTIME_DIR for the next start',
    );
  else logger.error({ memoryBytes }, 'scans that the disk did not take are lost at shutdown');
};

/** Tries once to write the rows in memory, then again until the time is over. */
const writeMemory = async (budget: SpoolBudget, retries: DiskRetries, waitMs: number): Promise<void> => {
  for (const deadline = Date.now() + waitMs; budget.memoryBytes > 0; await sleep(closingRetryMs)) {
    retries.retry();
    await retries.idle();
    if (Date.now() >= deadline) return;
  }
};

interface SpoolPlace extends Place {
  readonly segment: OpenSegment;
  /** Reserved for the batch; 0 if it is yet to be admitted. */
  readonly reservedBytes: number;
}

/** The places of batches that are being gathered. */
const createPlaces = (
  { sync }: Pick<SpoolOptions, 'sync'>,
  budget: SpoolBudget,
  writer: SegmentWriter,
  journal: Journal | undefined,
) => {
  const begin = (bytesMax: number): SpoolPlace => {
    const journaled = sync !== 'always' && journal?.takes === true && budget.reserve(bytesMax);
    const segment = writer.begin(journaled);
    const { name, seed } = segment;
    return {
      segment,
      seed,
      journaled,
      reservedBytes: journaled ? bytesMax : 0,
      store(rows, buffer, from, to) {
        if (journal!.store(name, segment.journalRows, rows, buffer, from, to)) {
          segment.journalRows += rows;
          return true;
        }
        // The numbers of later rows would be wrong.
        writer.rotate();
        return false;
      },
    };
  };

  return {
    begin,
    append(place: Place, batch: RowBatch, onStored: OnStored): void {
      const { segment, reservedBytes } = place as SpoolPlace;
      const { rows, frames } = batch;
      if (reservedBytes > 0) budget.settle(reservedBytes, frames.length);
      else if (!budget.admit(frames.length, rows)) {
        writer.drop(segment);
        return onStored(true, false);
      }
      if (rows === 0) {
        writer.drop(segment);
        return onStored(true, true);
      }
      writer.write(segment, batch, (storedBytes, reusable) => {
        budget.finish(frames.length, rows, storedBytes);
        onStored(reusable, storedBytes > 0);
      });
    },
  };
};

/** Takes what earlier processes left. */
const takeRecovered = (
  { segments }: Recovery,
  budget: SpoolBudget,
  closed: SegmentQueue,
  writer: SegmentWriter,
): void => {
  for (const segment of segments) {
    budget.addRecovered(segment.fileBytes);
    budget.addLeft(segment.memoryBytes);
    closed.add(segment);
    if (segment.memoryBytes > 0) writer.takeLeft(segment);
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
  const journal =
    options.journal === undefined ? undefined : openJournal(options.journal, logger, recovery.journal);
  const sent = createSentSegments(retries, diskQueue, budget.free, journal);
  // Scans that can still be sent come first; there is room for one segment.
  const rejectedOptions = { memoryBytesMax: options.memoryBytesMax / 3, onFreed: budget.free, journal };
  const rejected = createRejectedSegments(rejectedOptions, retries, diskQueue);
  const closed = createSegmentQueue(read);

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
  const writer = createSegmentWriter(writerOptions, budget, journal, retries, diskQueue, logger);
  takeRecovered(recovery, budget, closed, writer);

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

  const places = createPlaces(options, budget, writer, journal);

  return {
    begin(bytesMax) {
      upkeep.watch();
      return places.begin(bytesMax);
    },
    append: places.append,
    first,
    closedRows: () => closed.rows(),
    oldestAgeMs() {
      const sinceMs = closed.openedAtMs() ?? writer.oldestSinceMs;
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
      return { ...counts, ...statisticsOf(budget, rejected, writer, recovery, journal) };
    },
    async close(waitMs = 0) {
      await rotate();
      await writeMemory(budget, retries, waitMs);
      upkeep.stop();
      await retries.idle();
      await diskQueue.idle();
      logHeld(budget, journal, logger);
      journal?.close();
      if (!isHanging()) await diskQueue.run(() => folder.close());
    },
  };
};
