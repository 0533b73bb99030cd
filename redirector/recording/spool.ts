/**
 * The spool: scans on disk, from before their response is sent until every sink has them.
 *
 *   append ─▶ open segment (segment-writer.ts) ─▶ closed (segment-queue.ts) ─▶ sent or refused (disposal.ts)
 *
 * It is a folder of segments. One is open and appended to, a frame at a time (frames.ts). It is closed when it is large
 * enough, or old enough while nothing else waits to be sent, and is never written again. Its name is the token under which
 * ClickHouse recognises a batch that it already has, so that what was closed is never divided or put together again:
 * while ClickHouse is slow or away, the open segment grows, and is sent later as few large batches.
 *
 * Nothing of this runs on the event loop: one write is under way at a time, and one other operation in the process's lane
 * (disk-lane.ts), which the snapshot and the look for other folders share, so that a disk that hangs holds two threads of
 * libuv's pool; a third where it begins to hang while a gone process's folder is opened (orphans.ts). The fourth is left for
 * DNS and all other files. What the disk does not take, or not in time, is kept in memory, up to `memoryBytesMax`.
 *
 * When the spool holds `bytesMax`, or memory is full as well, scans are dropped, counted by reason, and the redirect still
 * happens: a phone in somebody's hand is worth more than its row in a table.
 */
import fs from 'node:fs/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskLane } from '../instance/disk-lane.ts';
import { createDisposal, type SegmentContents } from './disposal.ts';
import { type Recovery, recoverFolder } from './recovery.ts';
import type { RowBatch } from './row-binary.ts';
import type { SyncMode } from './segment-file.ts';
import { createSegmentQueue, type Segment } from './segment-queue.ts';
import { createRowReader, nameOf } from './segment-reader.ts';
import { createSegmentWriter } from './segment-writer.ts';

export type { Segment };

export interface SpoolOptions {
  folder: string;
  /** Bytes of all segments, on disk and in memory. */
  bytesMax: number;
  /** Bytes of scans that the disk did not take. */
  memoryBytesMax: number;
  /** The open segment is closed at this size … */
  segmentBytesMax: number;
  /** … or at this age, if it holds anything and nothing else waits. Asked for again and again: see insert-pace.ts. */
  segmentAgeMs(): number;
  /** When what is written is forced to the disk. */
  sync: SyncMode;
  /** With `interval`. */
  syncEveryMs: number;
  /** A write that takes longer goes on in memory. */
  writeTimeoutMs: number;
}

/** `refused`: a sink refused the segment for good, and neither the disk nor memory had room to keep it. */
export type DropReason = 'spool_full' | 'disk_error' | 'refused';

/**
 * Called once the rows are stored, or dropped (counted in {@link SpoolStatistics.dropped}).
 * @param reusable false while the disk may still read the batch's buffer
 */
export type OnStored = (reusable: boolean) => void;

export interface Spool {
  /** Stores whole rows, on disk or, where the disk does not take them, in memory. Batches are stored in their order. */
  append(batch: RowBatch, onStored: OnStored): void;
  /** The closed segment to send next: the oldest, or while the disk hangs the oldest that is in memory. */
  first(): Segment | undefined;
  /** Rows of all closed segments. */
  closedRows(): number;
  /** For how many ms the oldest scan has been here; a very long time for those of an earlier process, 0 if there is none. */
  oldestAgeMs(): number;
  /**
   * Every sink has it: it is not sent again, and its file is deleted as soon as the disk does so.
   * @throws when it is not closed, or has been removed
   */
  remove(segment: Segment): void;
  /** Keeps a segment for the operator that a sink refuses for good. @throws as {@link remove} does */
  reject(segment: Segment): void;
  /** Calls back whenever there may be a segment to send. */
  onClosed(callback: () => void): void;
  /** Closes the open segment once everything that was appended is stored, so that it can be sent. */
  rotate(): Promise<void>;
  readonly statistics: SpoolStatistics;
  /** Closes the open segment and the timers; what is not sent stays on disk. Waits for the disk, if that answers. */
  close(): Promise<void>;
}

export interface SpoolStatistics {
  bytes: number;
  memoryBytes: number;
  /** Closed, and not sent. */
  segments: number;
  /** Sent, and their files not deleted yet. */
  sentSegments: number;
  /** Rows taken, and rows dropped by reason, since the start. */
  appended: number;
  dropped: Record<DropReason, number>;
  /** Refused for good since the start; and those that are not kept aside yet. */
  rejectedSegments: number;
  rejectedRows: number;
  rejectedPending: number;
  /** Rows of earlier processes found at the start, bytes that were no scans, and files that could not be read. */
  recoveredRows: number;
  recoveredBytesCut: number;
  unreadableFiles: number;
  /** Whether the disk is past a deadline, and how often a write has been. */
  hanging: boolean;
  hangs: number;
  /** How often what was answered could not be forced to the disk, with `interval`. */
  syncFailures: number;
}

const retryEveryMs = 1000;
/** How often the ages of the write under way and of the open segment are looked at. */
const tickMs = 50;

/**
 * Resolves once what earlier processes left has been looked through.
 * @param lane for reading, deleting and all else but writing: what it gives up is tried again later
 * @throws when the folder cannot be made or read
 */
export const openSpool = async (options: SpoolOptions, lane: DiskLane, logger: Logger): Promise<Spool> => {
  await fs.mkdir(options.folder, { recursive: true });
  const recovery = await recoverFolder(options.folder, logger);
  return createSpool(options, recovery, await fs.open(options.folder), lane, logger);
};

const recoveredContents = ({ file, fileBytes, rows }: Recovery['segments'][number]): SegmentContents => ({
  name: nameOf(file),
  file,
  fileTried: true,
  fileBytes,
  rows,
  openedAtMs: 0,
  chunks: [],
  memoryRows: 0,
  memoryBytes: 0,
});

const createSpool = (
  options: SpoolOptions,
  recovery: Recovery,
  folder: fs.FileHandle,
  lane: DiskLane,
  logger: Logger,
): Spool => {
  const { bytesMax, memoryBytesMax, segmentAgeMs } = options;
  const readRows = createRowReader();
  const listeners: (() => void)[] = [];
  const dropped = { spool_full: 0, disk_error: 0 };
  let bytes = 0;
  let memoryBytes = 0;
  let appended = 0;
  let rejectedSegments = 0;
  let rejectedRows = 0;
  /** Of batches that wait to be stored. */
  let waitingBytes = 0;

  const read = async ({ file, fileBytes, chunks }: SegmentContents): Promise<Buffer> => {
    if (fileBytes === 0) return Buffer.concat(chunks);
    const start = await lane.run(() => readRows(file, fileBytes));
    return chunks.length === 0 ? start : Buffer.concat([start, ...chunks]);
  };

  const disposal = createDisposal(
    {
      // Scans that can still be sent come first.
      memoryBytesMax: memoryBytesMax / 4,
      read,
      onFreed(fileBytes, chunkBytes) {
        bytes -= fileBytes + chunkBytes;
        memoryBytes -= chunkBytes;
      },
    },
    lane,
    logger,
  );
  const closed = createSegmentQueue(read, disposal);
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const add = (contents: SegmentContents): void => {
    if (contents.rows === 0) return disposal.sent(contents);
    closed.add(contents);
    notify();
  };
  for (const segment of recovery.segments.map(recoveredContents)) {
    bytes += segment.fileBytes;
    closed.add(segment);
  }

  const writer = createSegmentWriter(
    {
      ...options,
      folderDescriptor: folder.fd,
      reserveMemory(chunkBytes) {
        if (memoryBytes + chunkBytes > memoryBytesMax) return false;
        memoryBytes += chunkBytes;
        return true;
      },
      onClosed: add,
    },
    lane,
    logger,
  );

  const hasRoom = (batchBytes: number, rows: number): boolean => {
    if (bytes + waitingBytes + batchBytes > bytesMax) dropped.spool_full += rows;
    else if (waitingBytes > 0 && memoryBytes + waitingBytes + batchBytes > memoryBytesMax) {
      dropped.disk_error += rows;
    } else return true;
    return false;
  };

  const first = (): Segment | undefined => closed.first(writer.hanging || lane.hanging);

  const rotateIfDue = (): void => {
    const { openedAtMs } = writer;
    if (openedAtMs === undefined || first() !== undefined) return;
    if (Date.now() - openedAtMs >= segmentAgeMs()) writer.rotate();
  };

  let wasHanging = false;
  const tick = (): void => {
    writer.checkDeadline();
    const hangs = writer.hanging || lane.hanging;
    // What is on the disk can be sent again.
    if (wasHanging && !hangs) notify();
    wasHanging = hangs;
    rotateIfDue();
  };
  const timers = [
    setInterval(tick, tickMs),
    setInterval(() => {
      disposal.retry();
      writer.retry();
    }, retryEveryMs),
  ];
  if (options.sync === 'interval') timers.push(setInterval(() => void writer.sync(), options.syncEveryMs));
  for (const timer of timers) timer.unref();

  const rotate = async (): Promise<void> => {
    await writer.drained();
    writer.rotate();
  };

  return {
    append(batch, onStored) {
      const batchBytes = batch.frame.length;
      if (!hasRoom(batchBytes, batch.rows)) return onStored(true);
      waitingBytes += batchBytes;
      writer.write(batch, (storedBytes, reusable) => {
        waitingBytes -= batchBytes;
        bytes += storedBytes;
        if (storedBytes > 0) appended += batch.rows;
        else dropped.disk_error += batch.rows;
        onStored(reusable);
      });
    },
    first,
    closedRows: () => closed.rows(),
    oldestAgeMs() {
      const openedAtMs = closed.openedAtMs() ?? writer.openedAtMs;
      return openedAtMs === undefined ? 0 : Date.now() - openedAtMs;
    },
    remove(segment) {
      closed.remove(segment);
      rotateIfDue();
    },
    reject(segment) {
      closed.reject(segment);
      rejectedSegments++;
      rejectedRows += segment.rows;
    },
    onClosed: (callback) => void listeners.push(callback),
    rotate,
    get statistics() {
      return {
        bytes,
        memoryBytes,
        segments: closed.size,
        sentSegments: disposal.statistics.sentSegments,
        appended,
        dropped: { ...dropped, refused: disposal.statistics.rowsDropped },
        rejectedSegments,
        rejectedRows,
        rejectedPending: disposal.statistics.refusedSegments,
        recoveredRows: recovery.segments.reduce((sum, { rows }) => sum + rows, 0),
        recoveredBytesCut: recovery.bytesCut,
        unreadableFiles: recovery.unreadableFiles,
        hanging: writer.hanging || lane.hanging,
        hangs: writer.hangs,
        syncFailures: writer.syncFailures,
      };
    },
    async close() {
      await rotate();
      for (const timer of timers) clearInterval(timer);
      await disposal.idle();
      await lane.idle();
      if (memoryBytes > 0)
        logger.error({ memoryBytes }, 'scans that the disk did not take are lost with the process');
      if (!writer.hanging && !lane.hanging) await lane.run(() => folder.close());
    },
  };
};
