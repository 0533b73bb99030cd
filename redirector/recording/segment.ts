/** A segment: rows that are sent together, and where they are. */

/** Rows as the sink is given them. A segment is never written to again. */
export interface Segment {
  /** Unique for good; the deduplication token. */
  readonly name: string;
  readonly rows: number;
  /**
   * The rows, valid until another segment of the spool is read.
   * @throws {DiskHangsError} when the disk does not answer
   */
  read(): Promise<Buffer>;
}

/** Whole rows that the disk has not taken yet. */
export interface MemoryRows {
  rows: number;
  bytes: Buffer;
}

/** Where the rows are: first those in the file, then those in memory. */
export interface SegmentContents {
  name: string;
  rows: number;
  /** When its first scan was answered; 0 for a segment of an earlier process. */
  openedAtMs: number;
  file: string;
  /** Whether the disk was asked for the file: it may exist, also without rows. */
  fileTried: boolean;
  /** The file's first bytes are the segment's. What follows is a write that was not done, or not done yet, and is in `chunks`. */
  fileBytes: number;
  /** Replaced and never changed once the segment is closed: it may be being read. */
  chunks: MemoryRows[];
  memoryRows: number;
  memoryBytes: number;
  /** Sent, or refused by the sink: nothing is written to its file any more. */
  settled: boolean;
}
