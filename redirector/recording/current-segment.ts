/** The segment that takes batches: begun with the first one, and closed once, when it is full or must end. */
import { beginSegment, createSegmentNames, type OpenSegment } from './open-segment.ts';
import type { RowBatch } from './row-writer.ts';
import type { SegmentContents } from './segment.ts';
import type { SegmentFiles } from './segment-files.ts';

export interface CurrentSegmentOptions {
  folder: string;
  /** A segment is closed at this size. */
  segmentBytesMax: number;
  /** Takes a closed segment. It may have no rows, if it may have a file. */
  onClosed(contents: SegmentContents): void;
}

export interface CurrentSegment {
  /** Undefined if none has begun. */
  readonly open: OpenSegment | undefined;
  /** The open segment, or a new one. */
  begin(atMs: number): OpenSegment;
  /** A batch of the segment is stored. @param bytes that it takes; 0 if neither disk nor memory took it */
  stored(segment: OpenSegment, batch: RowBatch, bytes: number): void;
  /** Ends the segment after the batch that is being stored. */
  endSoon(): void;
  /** Ends the segment, if {@link endSoon} was called. */
  endIfDue(): void;
  end(): void;
}

/** @param asksDisk whether to try a new segment on disk */
export const createCurrentSegment = (
  { folder, segmentBytesMax, onClosed }: CurrentSegmentOptions,
  files: SegmentFiles,
  asksDisk: () => boolean,
): CurrentSegment => {
  const nextName = createSegmentNames();
  let open: OpenSegment | undefined;
  let ending = false;

  const end = (): void => {
    ending = false;
    if (open === undefined) return;
    const closed = open;
    open = undefined;
    if (closed.disk) files.close(closed.disk);
    closed.disk = undefined;
    if (closed.rows > 0 || closed.fileTried) onClosed(closed);
  };

  return {
    get open() {
      return open;
    },
    begin(atMs) {
      open ??= beginSegment(folder, nextName(), atMs, asksDisk() ? files.create : undefined);
      return open;
    },
    stored(segment, { rows }, bytes) {
      if (bytes > 0) segment.rows += rows;
      const isFull = segment.fileBytes + segment.memoryBytes >= segmentBytesMax;
      const takesNoMore = segment.disk === undefined && bytes === 0;
      if (segment === open && (takesNoMore || (segment.rows > 0 && (ending || isFull)))) end();
    },
    endSoon() {
      ending = open !== undefined;
    },
    endIfDue() {
      if (ending) end();
    },
    end,
  };
};
