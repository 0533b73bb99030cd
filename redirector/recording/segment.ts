/** A segment: rows that are sent together, on disk and in memory. */

/** Rows as the sink gets them. A segment is never written to again. */
export interface Segment {
  /** Unique forever; the deduplication token. */
  readonly name: string;
  readonly rows: number;
  /**
   * The rows, valid until another segment of the spool is read.
   * @throws {DiskHangsError} if the disk does not answer
   */
  read(): Promise<Buffer>;
}

/** Rows that the disk has not taken yet. */
export interface MemoryRows {
  rows: number;
  frames: Buffer;
}

/** The places of the rows: first the file, then memory. */
export interface SegmentContents {
  name: string;
  rows: number;
  /** When its first scan was answered; 0 for a segment of an earlier process. */
  openedAtMs: number;
  file: string;
  /** Whether the disk was asked for the file, which may then exist, even without rows. */
  fileTried: boolean;
  /**
   * The file's leading bytes that belong to the segment. Bytes after them are of an unfinished write, and are in
   * `chunks`.
   */
  fileBytes: number;
  /** Replaced, never modified, once the segment is closed: it may be being read. */
  chunks: MemoryRows[];
  memoryRows: number;
  memoryBytes: number;
  /** No batch is added any more. */
  closed: boolean;
  /** Sent, or its rows in memory are dropped: nothing is written to its file after this. */
  finished: boolean;
}
