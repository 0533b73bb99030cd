/**
 * Writes with a deadline, one under way at a time. A write past its deadline cannot be cancelled: it is abandoned, its
 * buffer still belongs to the disk, and it may complete later. Until then the disk gets no other write.
 *
 * A process that gets no CPU also misses its deadlines, with a healthy disk: the write may be done without this thread
 * knowing, or no thread of libuv's pool may have begun it. So the pool is asked first. It works in order: if it has
 * done work queued after the write, the write is at the disk.
 */
import { randomBytes } from 'node:crypto';
import type { OpenSegment } from './open-segment.ts';
import type { RowBatch } from './row-batches.ts';
import type { SegmentFile } from './segment-file.ts';

/**
 * Called once a batch is stored.
 * @param bytes that it takes, on disk or in memory; 0 if neither took it
 * @param reusable false while the disk may still read the batch's buffer
 */
export type OnWritten = (bytes: number, reusable: boolean) => void;

/** A batch waiting to be stored. */
export interface PendingBatch extends RowBatch {
  segment: OpenSegment;
  onWritten: OnWritten;
}

export interface Write extends PendingBatch {
  disk: SegmentFile;
  startedAtMs: number;
  /** Whether memory has its rows, once it is abandoned. */
  kept?: boolean;
}

export interface WriteOutcomes {
  onDone(write: Write): void;
  /** The disk refused the write. */
  onRefused(write: Write, error: Error): void;
  /** The write is abandoned. May set `kept`. */
  onTimeout(write: Write, error: Error): void;
  /** An abandoned write has completed after all, or was refused. */
  onLate(write: Write, error: Error | null): void;
}

export interface TimedWrites {
  /** Must not be called while a write is under way, nor while one hangs. */
  begin(disk: SegmentFile, batch: PendingBatch): void;
  /** Abandons the write under way if it is past its deadline. Must be called regularly. */
  checkDeadline(): void;
  readonly underWay: boolean;
  /** Whether the disk still holds an abandoned write. */
  readonly hanging: boolean;
  /** How often a write was abandoned. */
  readonly hangs: number;
}

/** The pool's steps for one write, in order: open, write, and sync the file and the folder. */
const stepsMax = 4;
/** If all threads of the pool hang, the wait ends after this many checks. Time would pass even without CPU. */
const checksMax = 10;

/** Calls back once the pool has done as many steps as a write may have, none of them on a disk. */
const askPool = (onAnswer: () => void, steps = stepsMax): void =>
  randomBytes(1, () => (steps === 1 ? onAnswer() : askPool(onAnswer, steps - 1)));

export const createTimedWrites = (timeoutMs: number, outcomes: WriteOutcomes): TimedWrites => {
  let underWay: Write | undefined;
  let givenUp: Write | undefined;
  let hangs = 0;

  /** Checks since the write under way was found past its deadline. */
  let checks = 0;

  const giveUp = (write: Write): void => {
    if (write !== underWay) return;
    givenUp = write;
    underWay = undefined;
    hangs++;
    outcomes.onTimeout(write, new Error(`a write took more than ${timeoutMs} ms`));
  };

  const onEnd = (write: Write, error: Error | null): void => {
    if (write === givenUp) {
      givenUp = undefined;
      return outcomes.onLate(write, error);
    }
    underWay = undefined;
    if (error) outcomes.onRefused(write, error);
    else outcomes.onDone(write);
  };

  return {
    begin(disk, batch) {
      const write: Write = { ...batch, disk, startedAtMs: performance.now() };
      underWay = write;
      checks = 0;
      disk.write(batch.frames, (error) => onEnd(write, error));
    },
    checkDeadline() {
      const write = underWay;
      if (write === undefined || performance.now() - write.startedAtMs < timeoutMs) return;
      checks++;
      if (checks === 1) askPool(() => giveUp(write));
      else if (checks > checksMax) giveUp(write);
    },
    get underWay() {
      return underWay !== undefined;
    },
    get hanging() {
      return givenUp !== undefined;
    },
    get hangs() {
      return hangs;
    },
  };
};
