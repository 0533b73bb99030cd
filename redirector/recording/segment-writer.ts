/**
 * Writes batches to the open segment, one write under way at a time. A write that the disk refuses, or has not done in
 * time, is kept in memory instead, and so is the rest of its segment; the next segment is tried on disk again, unless
 * the disk still hangs.
 *
 * A write that hangs cannot be taken back, and may be done later. Its rows are the segment's once all the same: what counts
 * of the file is what was written in time.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';
import type { DiskLane } from '../instance/disk-lane.ts';
import type { SegmentContents } from './disposal.ts';
import { headerBytes, sealFrame, seedOf } from './frames.ts';
import type { RowBatch } from './row-binary.ts';
import { createSegmentFile, type SegmentFile, type SyncMode } from './segment-file.ts';
import { framedExtension } from './segment-reader.ts';

export interface SegmentWriterOptions {
  folder: string;
  /** A descriptor of the folder, to sync it. */
  folderDescriptor: number;
  sync: SyncMode;
  /** A write that takes longer goes on in memory. */
  writeTimeoutMs: number;
  /** A segment is closed at this size. */
  segmentBytesMax: number;
  /** Asked before rows are kept in memory. */
  reserveMemory(bytes: number): boolean;
  /** A segment that will not be written to again; it may be without rows. */
  onClosed(contents: SegmentContents): void;
}

/**
 * Called once a batch is stored.
 * @param bytes that it takes, on disk or in memory; 0 when neither took it
 * @param reusable false while the disk may still read the batch's buffer
 */
export type OnWritten = (bytes: number, reusable: boolean) => void;

export interface SegmentWriter {
  /** Batches are stored in their order; a call is answered in a later turn of the event loop or in this one. */
  write(batch: RowBatch, onWritten: OnWritten): void;
  /** When the open segment was begun; undefined if it holds nothing. */
  readonly openedAtMs: number | undefined;
  /** Closes the open segment when the write under way is done. */
  rotate(): void;
  /** Resolves once all batches are stored. */
  drained(): Promise<void>;
  /** Gives up on a write that is past its deadline. To be called every now and then. */
  checkDeadline(): void;
  /** Forces the open segment to the disk; of its own accord the writer does so with `always` alone. */
  sync(): Promise<void>;
  /** Closes files that could not be closed before. */
  retry(): void;
  /** Whether a write is past its deadline. */
  readonly hanging: boolean;
  /** How often a write has been. */
  readonly hangs: number;
  /** How often what was written could not be forced to the disk afterwards: with `interval`, what it promises did not hold. */
  readonly syncFailures: number;
}

interface OpenSegment extends SegmentContents {
  seed: number;
  /** Undefined once the disk has not taken a write, or was not asked. */
  disk: SegmentFile | undefined;
}

interface Pending extends RowBatch {
  onWritten: OnWritten;
}

interface Write extends Pending {
  segment: OpenSegment;
  disk: SegmentFile;
  startedAtMs: number;
}

export const createSegmentWriter = (
  options: SegmentWriterOptions,
  lane: DiskLane,
  logger: Logger,
): SegmentWriter => {
  const { folder, segmentBytesMax } = options;
  // Names sort in the order of writing, also across restarts: time first, then a number; random, to be unique.
  const boot = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
  const queue: Pending[] = [];
  const unclosed = new Set<SegmentFile>();
  let sequence = 0;
  let open: OpenSegment | undefined;
  let underWay: Write | undefined;
  /** A write that is past its deadline; while there is one, the disk is given no other. */
  let stuck: Write | undefined;
  let hangs = 0;
  let syncFailures = 0;
  let failing = false;
  let rotating = false;
  let syncing = false;
  let waiters: (() => void)[] = [];

  const refused = (error: unknown): void => {
    if (!failing) logger.error({ err: error, folder }, 'spool cannot write: scans are kept in memory');
    failing = true;
  };
  const works = (): void => {
    if (failing) logger.info({ folder }, 'spool writes again');
    failing = false;
  };

  const begin = (): OpenSegment => {
    const name = `${boot}-${String(sequence++).padStart(10, '0')}`;
    const file = path.join(folder, `${name}${framedExtension}`);
    const askDisk = stuck === undefined && !lane.hanging;
    return {
      name,
      file,
      seed: seedOf(name),
      disk: askDisk ? createSegmentFile(file, options.folderDescriptor, options.sync) : undefined,
      fileTried: askDisk,
      fileBytes: 0,
      chunks: [],
      rows: 0,
      memoryRows: 0,
      memoryBytes: 0,
      openedAtMs: Date.now(),
    };
  };

  const force = async (disk: SegmentFile): Promise<void> => {
    try {
      await lane.run(() => disk.sync());
    } catch (error) {
      if (syncFailures++ === 0) logger.error({ err: error, folder }, 'spool cannot be forced to the disk');
    }
  };

  const closeFile = async (disk: SegmentFile): Promise<void> => {
    unclosed.delete(disk);
    if (options.sync === 'interval' && disk.unsynced) await force(disk);
    try {
      await lane.run(() => disk.close());
    } catch (error) {
      unclosed.add(disk);
      refused(error);
    }
  };

  const end = (): void => {
    rotating = false;
    if (open === undefined) return;
    const { seed: _, disk, ...contents } = open;
    open = undefined;
    if (disk) void closeFile(disk);
    options.onClosed(contents);
  };

  /** @returns the bytes it takes, 0 when there is no room */
  const toMemory = (segment: OpenSegment, { rows, frame }: RowBatch): number => {
    const bytes = frame.length - headerBytes;
    if (!options.reserveMemory(bytes)) return 0;
    segment.chunks.push(Buffer.from(frame.subarray(headerBytes)));
    segment.memoryRows += rows;
    segment.memoryBytes += bytes;
    return bytes;
  };

  const finish = (segment: OpenSegment, batch: Pending, bytes: number, reusable: boolean): void => {
    if (bytes > 0) segment.rows += batch.rows;
    const isFull = segment.fileBytes + segment.memoryBytes >= segmentBytesMax;
    if (segment === open && segment.rows > 0 && (rotating || isFull)) end();
    batch.onWritten(bytes, reusable);
  };

  /** The rest of the segment goes to memory as well. */
  const finishInMemory = (segment: OpenSegment, batch: Pending, reusable: boolean): void => {
    segment.disk = undefined;
    finish(segment, batch, toMemory(segment, batch), reusable);
  };

  /** A write that was given up is done, or failed, after all. */
  const onLate = ({ segment, disk }: Write, error: Error | null): void => {
    stuck = undefined;
    logger.warn({ err: error ?? undefined, folder, file: disk.path }, 'the disk answers again');
    void closeFile(disk);
    // Nothing of it counts; and the segment may be gone already.
    if (segment.fileBytes === 0) {
      lane.run(() => fs.rm(disk.path, { force: true })).catch(refused);
    }
  };

  const onWritten = (write: Write, error: Error | null): void => {
    const { segment, disk, frame } = write;
    if (write === stuck) return onLate(write, error);
    underWay = undefined;
    if (error) {
      refused(error);
      void closeFile(disk);
      finishInMemory(segment, write, true);
    } else {
      works();
      segment.fileBytes += frame.length;
      finish(segment, write, frame.length, true);
    }
    next();
  };

  const give = (segment: OpenSegment, disk: SegmentFile, batch: Pending): void => {
    sealFrame(batch.frame, batch.rows, segment.seed);
    const write: Write = { ...batch, segment, disk, startedAtMs: performance.now() };
    underWay = write;
    disk.write(batch.frame, (error) => onWritten(write, error));
  };

  const next = (): void => {
    while (underWay === undefined && queue.length > 0) {
      const batch = queue.shift()!;
      open ??= begin();
      if (open.disk) give(open, open.disk, batch);
      else finishInMemory(open, batch, true);
    }
    if (underWay !== undefined) return;
    if (rotating) end();
    const drained = waiters;
    waiters = [];
    for (const resolve of drained) resolve();
  };

  return {
    write(batch, whenWritten) {
      queue.push({ ...batch, onWritten: whenWritten });
      next();
    },
    get openedAtMs() {
      return open && open.rows > 0 ? open.openedAtMs : undefined;
    },
    rotate() {
      if (open === undefined) return;
      rotating = true;
      if (underWay === undefined) end();
    },
    drained: () =>
      underWay === undefined && queue.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => waiters.push(resolve)),
    checkDeadline() {
      if (underWay === undefined || performance.now() - underWay.startedAtMs < options.writeTimeoutMs) return;
      stuck = underWay;
      underWay = undefined;
      hangs++;
      refused(new Error(`a write has taken more than ${options.writeTimeoutMs} ms`));
      finishInMemory(stuck.segment, stuck, false);
      next();
    },
    async sync() {
      const disk = open?.disk;
      if (syncing || !disk?.unsynced) return;
      syncing = true;
      await force(disk);
      syncing = false;
    },
    retry() {
      for (const disk of unclosed) if (disk !== stuck?.disk) void closeFile(disk);
    },
    get hanging() {
      return stuck !== undefined;
    },
    get hangs() {
      return hangs;
    },
    get syncFailures() {
      return syncFailures;
    },
  };
};
