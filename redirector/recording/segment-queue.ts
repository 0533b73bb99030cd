/** The closed segments that wait to be sent, oldest first. A segment leaves the queue once, into {@link Disposal}. */
import type { Disposal, SegmentContents } from './disposal.ts';

/** Scans that will not be written to again. */
export interface Segment {
  /** Unique for good; the deduplication token. */
  readonly name: string;
  readonly rows: number;
  /**
   * The rows, until another segment of the spool is read.
   * @throws {DiskHangsError} when the disk does not answer
   */
  read(): Promise<Buffer>;
}

export interface SegmentQueue {
  readonly size: number;
  /** Of all that wait. */
  rows(): number;
  add(contents: SegmentContents): void;
  /**
   * The oldest; undefined if none waits.
   * @param inMemory asks for the oldest of which nothing is on the disk
   */
  first(inMemory: boolean): Segment | undefined;
  /** When the first scan that waits was answered. */
  openedAtMs(): number | undefined;
  /** Every sink has it. @throws when it does not wait here */
  remove(segment: Segment): void;
  /** A sink refuses it for good. @throws when it does not wait here */
  reject(segment: Segment): void;
}

export const createSegmentQueue = (
  read: (contents: SegmentContents) => Promise<Buffer>,
  disposal: Disposal,
): SegmentQueue => {
  const waiting = new Map<Segment, SegmentContents>();

  const take = (segment: Segment): SegmentContents => {
    const contents = waiting.get(segment);
    if (contents === undefined) throw new Error(`segment ${segment.name} does not wait in this spool`);
    waiting.delete(segment);
    return contents;
  };

  return {
    get size() {
      return waiting.size;
    },
    rows: () => [...waiting.keys()].reduce((sum, { rows }) => sum + rows, 0),
    add(contents) {
      const { name, rows } = contents;
      waiting.set({ name, rows, read: () => read(contents) }, contents);
    },
    first(inMemory) {
      if (!inMemory) return waiting.keys().next().value;
      for (const [segment, { fileBytes }] of waiting) if (fileBytes === 0) return segment;
      return undefined;
    },
    openedAtMs: () => waiting.values().next().value?.openedAtMs,
    remove: (segment) => disposal.sent(take(segment)),
    reject: (segment) => disposal.refused(take(segment)),
  };
};
