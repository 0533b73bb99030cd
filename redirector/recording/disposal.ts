/**
 * What is done with segments that no sink is to be given again:
 *
 *   sent     ── its file is deleted ────────▶ gone
 *   refused  ── it is kept for the operator ─▶ gone
 *
 * Both are states and not moments, since a disk may refuse to delete or to write for as long as it likes. Until it does
 * not, a segment's bytes still count, and what is to be done is tried again. A process that starts meanwhile finds a sent
 * segment's file and sends it under the same name, by which the sink knows it.
 */
import fs from 'node:fs/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskLane } from '../instance/disk-lane.ts';
import { headerBytes, sealFrame, seedOf } from './frames.ts';
import { setAsideExtension } from './segment-reader.ts';

/** Where the rows of a closed segment are: first those in the file, then those in memory. */
export interface SegmentContents {
  name: string;
  rows: number;
  /** When its first scan was answered; 0 when an earlier process did. */
  openedAtMs: number;
  file: string;
  /** Whether the disk was asked for the file: it may be there, also without rows. */
  fileTried: boolean;
  /** What of the file is the segment's: a write that the disk did not do in time may follow, and is in `chunks`. */
  fileBytes: number;
  chunks: Buffer[];
  memoryRows: number;
  memoryBytes: number;
}

export interface DisposalStatistics {
  /** Sent, and their files not deleted yet. */
  sentSegments: number;
  /** Refused, and not kept aside yet: still in memory or under their own names. */
  refusedSegments: number;
  /** Rows of refused segments that neither the disk nor memory had room for, since the start. */
  rowsDropped: number;
}

export interface Disposal {
  readonly statistics: DisposalStatistics;
  /** Deletes the file of a segment that every sink has. */
  sent(contents: SegmentContents): void;
  /** Keeps a segment that a sink refuses for good, for the operator. */
  refused(contents: SegmentContents): void;
  /** Tries again what the disk has not done. */
  retry(): void;
  /** Resolves once nothing is being tried. */
  idle(): Promise<void>;
}

export interface DisposalOptions {
  /** Of refused segments that the disk does not take; beyond it the oldest are dropped, and counted. */
  memoryBytesMax: number;
  /** @returns all rows of a segment */
  read(contents: SegmentContents): Promise<Buffer>;
  /** Called when bytes of a segment are no longer held. */
  onFreed(fileBytes: number, memoryBytes: number): void;
}

type Entry = { state: 'sent' | 'refused'; contents: SegmentContents; busy: boolean };

const deleteFile = (lane: DiskLane, { file, fileTried }: SegmentContents): Promise<void> =>
  fileTried ? lane.run(() => fs.rm(file, { force: true })) : Promise.resolve();

/** All rows as one frame under the segment's name: renamed back, it is a segment again. */
const frameOf = (name: string, rows: number, bytes: Buffer): Buffer => {
  const frame = Buffer.concat([Buffer.alloc(headerBytes), bytes]);
  sealFrame(frame, rows, seedOf(name));
  return frame;
};

export const createDisposal = (options: DisposalOptions, lane: DiskLane, logger: Logger): Disposal => {
  const entries = new Set<Entry>();
  const attempts = new Set<Promise<void>>();
  const statistics: DisposalStatistics = { sentSegments: 0, refusedSegments: 0, rowsDropped: 0 };
  let failing = false;

  const setAside = async (contents: SegmentContents): Promise<void> => {
    const { file, name, rows, chunks } = contents;
    const target = `${file}${setAsideExtension}`;
    if (chunks.length === 0) return lane.run(() => fs.rename(file, target));
    const frame = frameOf(name, rows, await options.read(contents));
    await lane.run(() => fs.writeFile(target, frame));
    await deleteFile(lane, contents);
  };

  const forget = (entry: Entry): void => {
    entries.delete(entry);
    if (entry.state === 'sent') statistics.sentSegments--;
    else statistics.refusedSegments--;
    options.onFreed(entry.contents.fileBytes, entry.contents.memoryBytes);
  };

  /** Drops what of a segment is in memory; what is in its file stays. */
  const freeMemory = (entry: Entry): void => {
    const { rows, memoryRows, memoryBytes } = entry.contents;
    options.onFreed(0, memoryBytes);
    entry.contents = {
      ...entry.contents,
      rows: rows - memoryRows,
      chunks: [],
      memoryRows: 0,
      memoryBytes: 0,
    };
  };

  const drop = (entry: Entry): void => {
    statistics.rowsDropped += entry.contents.memoryRows;
    freeMemory(entry);
    if (entry.contents.fileBytes === 0) forget(entry);
  };

  const boundMemory = (): void => {
    const refused = [...entries].filter(({ state }) => state === 'refused');
    let bytes = refused.reduce((sum, { contents }) => sum + contents.memoryBytes, 0);
    for (const entry of refused) {
      if (bytes <= options.memoryBytesMax) return;
      bytes -= entry.contents.memoryBytes;
      drop(entry);
    }
  };

  const failed = (entry: Entry, error: unknown): void => {
    if (!failing) {
      const { state, contents } = entry;
      logger.warn(
        { err: error, file: contents.file, state },
        'the disk keeps what is to go: will be tried again',
      );
    }
    failing = true;
    boundMemory();
  };

  const attempt = async (entry: Entry): Promise<void> => {
    if (entry.busy) return;
    entry.busy = true;
    try {
      await (entry.state === 'sent' ? deleteFile(lane, entry.contents) : setAside(entry.contents));
      if (entries.has(entry)) forget(entry);
      failing = false;
    } catch (error) {
      failed(entry, error);
    } finally {
      entry.busy = false;
    }
  };

  const start = (entry: Entry): void => {
    const attempting = attempt(entry).finally(() => attempts.delete(attempting));
    attempts.add(attempting);
  };

  const add = (entry: Entry): void => {
    entries.add(entry);
    start(entry);
  };

  return {
    statistics,
    sent(contents) {
      statistics.sentSegments++;
      const entry: Entry = { state: 'sent', contents, busy: false };
      // What is in memory is needed no longer, whatever becomes of the file.
      freeMemory(entry);
      add(entry);
    },
    refused(contents) {
      statistics.refusedSegments++;
      add({ state: 'refused', contents, busy: false });
    },
    retry() {
      for (const entry of entries) start(entry);
    },
    async idle() {
      while (attempts.size > 0) await Promise.all(attempts);
    },
  };
};
