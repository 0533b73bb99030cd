/** The closed segments that wait to be sent, oldest first. */
import type { Segment, SegmentContents } from './segment.ts';

export interface SegmentQueue {
  readonly size: number;
  /** The rows of all waiting segments. */
  rows(): number;
  add(contents: SegmentContents): void;
  /**
   * The oldest; undefined if none waits.
   * @param inMemory asks for the oldest with nothing on disk
   */
  first(inMemory: boolean): Segment | undefined;
  /** When the oldest waiting scan was answered. */
  openedAtMs(): number | undefined;
  /** Takes a segment out, once. @throws if it is not in the queue */
  take(segment: Segment): SegmentContents;
}

/** @param read reads all rows of a segment */
export const createSegmentQueue = (read: (contents: SegmentContents) => Promise<Buffer>): SegmentQueue => {
  const waiting = new Map<Segment, SegmentContents>();

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
    take(segment) {
      const contents = waiting.get(segment);
      if (contents === undefined) throw new Error(`segment ${segment.name} is not waiting in this spool`);
      waiting.delete(segment);
      return contents;
    },
  };
};
