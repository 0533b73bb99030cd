/** The segment that takes batches: begun with the first one, and closed once, when it is full or must end. */
import { beginSegment, createSegmentNames, type OpenSegment } from './open-segment.ts';
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
  /** The one in which batches begin; undefined if none has begun. */
  readonly open: OpenSegment | undefined;
  /** The oldest that is not closed, with rows or on the way to some. */
  readonly oldest: OpenSegment | undefined;
  /** A segment for one more batch: the open one, or a new one. It stays unclosed until the batch is stored. */
  begin(atMs: number, journaled: boolean): OpenSegment;
  /** A batch of the segment is stored. @param bytes that it takes; 0 if neither disk nor memory took it */
  stored(segment: OpenSegment, rows: number, bytes: number): void;
  /** Ends the open segment: it is closed once its batches are stored. */
  end(): void;
}

/** @param asksDisk whether to try a new segment on disk */
export const createCurrentSegment = (
  { folder, segmentBytesMax, onClosed }: CurrentSegmentOptions,
  files: Pick<SegmentFiles, 'create' | 'close'>,
  asksDisk: () => boolean,
): CurrentSegment => {
  const nextName = createSegmentNames();
  /** In order. Batches are stored in order, so they close in order. */
  const unclosed: OpenSegment[] = [];
  let open: OpenSegment | undefined;

  const closeIfDone = (segment: OpenSegment): void => {
    if (!segment.ended || segment.batches > 0) return;
    unclosed.splice(unclosed.indexOf(segment), 1);
    if (segment.disk) files.close(segment.disk);
    segment.disk = undefined;
    segment.closed = true;
    if (segment.rows > 0 || segment.fileTried) onClosed(segment);
  };

  const end = (): void => {
    if (open === undefined) return;
    const ending = open;
    open = undefined;
    ending.ended = true;
    closeIfDone(ending);
  };

  const beginNew = (atMs: number, journaled: boolean): OpenSegment => {
    const createFile = asksDisk() ? files.create : undefined;
    const segment = beginSegment(folder, nextName(), atMs, journaled, createFile);
    unclosed.push(segment);
    return segment;
  };

  return {
    get open() {
      return open;
    },
    get oldest() {
      return unclosed.find(({ rows, batches }) => rows > 0 || batches > 0);
    },
    begin(atMs, journaled) {
      if (open?.journaled !== journaled) end();
      open ??= beginNew(atMs, journaled);
      open.batches++;
      return open;
    },
    stored(segment, rows, bytes) {
      segment.batches--;
      if (bytes > 0) segment.rows += rows;
      const isFull = segment.fileBytes + segment.memoryBytes >= segmentBytesMax;
      const takesNoMore = segment.disk === undefined && bytes === 0;
      if (segment === open && (takesNoMore || isFull)) end();
      else closeIfDone(segment);
    },
    end,
  };
};
