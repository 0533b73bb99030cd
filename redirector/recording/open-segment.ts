/** The segment that is written to: on disk while the disk takes it, then in memory. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { RowBatch } from './row-batches.ts';
import type { SegmentContents } from './segment.ts';
import type { SegmentFile } from './segment-file.ts';
import { seedOf } from './segment-frames.ts';
import { segmentExtension } from './segment-reader.ts';

export interface OpenSegment extends SegmentContents {
  /** The seed of its frames' checksums. */
  readonly seed: number;
  /** Undefined after a write that the disk did not take, or if the disk was not tried. */
  disk: SegmentFile | undefined;
  /** Whether the journal takes its rows: they are answered before the disk has them, and never dropped. */
  readonly journaled: boolean;
  /** Rows in the journal. */
  journalRows: number;
  /** Batches that are being gathered or stored. */
  batches: number;
  /** Whether no more batches begin in it. */
  ended: boolean;
}

/** @returns a source of names that sort in the order of writing, also across restarts: time, random bits, a number */
export const createSegmentNames = (): (() => string) => {
  const boot = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
  let sequence = 0;
  return () => `${boot}-${String(sequence++).padStart(10, '0')}`;
};

/** @param createFile undefined for a segment that stays in memory from its beginning */
export const beginSegment = (
  folder: string,
  name: string,
  openedAtMs: number,
  journaled: boolean,
  createFile: ((path: string) => SegmentFile) | undefined,
): OpenSegment => {
  const file = path.join(folder, `${name}${segmentExtension}`);
  return {
    name,
    file,
    seed: seedOf(name),
    disk: createFile?.(file),
    journaled,
    journalRows: 0,
    batches: 0,
    ended: false,
    fileTried: createFile !== undefined,
    fileBytes: 0,
    chunks: [],
    rows: 0,
    memoryRows: 0,
    memoryBytes: 0,
    closed: false,
    finished: false,
    openedAtMs,
  };
};

/**
 * Keeps a batch in memory that the disk does not take, if there is room. The segment stops using the disk.
 * @returns the bytes it takes, 0 if there is no room
 */
export const keepInMemory = (
  segment: OpenSegment,
  { rows, frames }: RowBatch,
  reserve: (bytes: number, journaled: boolean) => boolean,
): number => {
  const bytes = frames.length;
  const { disk } = segment;
  segment.disk = undefined;
  if (!reserve(bytes, segment.journaled)) {
    // The caller learns that it is not stored: a process that recovers the file must not find it.
    disk?.cutAt(() => segment.fileBytes);
    return 0;
  }
  segment.chunks.push({ rows, frames: Buffer.from(frames) });
  segment.memoryRows += rows;
  segment.memoryBytes += bytes;
  return bytes;
};
