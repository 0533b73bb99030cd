/**
 * The spool: scans on disk, from before their response is sent until every sink has them.
 *
 * It is a folder of segments. One is open and appended to, with one write for all scans of an event-loop turn; it is
 * closed when it is large or old enough, and is never written again. A segment's file holds exactly the bytes that
 * ClickHouse is sent, and its name is the token under which ClickHouse recognises a batch that it already has.
 *
 * When the disk refuses a write, the segment goes on in memory, up to `memoryBytesMax`; when the spool holds
 * `bytesMax`, or memory is full as well, scans are dropped, counted by reason, and the redirect still happens: a phone
 * in somebody's hand is worth more than its row in a table.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';
import { recoverFolder } from './recovery.ts';

const extension = '.rowbinary';
/** Segments that a sink refuses for good are kept under this extension for the operator. */
const setAside = '.rejected';

export interface SpoolOptions {
  folder: string;
  /** Bytes of all segments, on disk and in memory. */
  bytesMax: number;
  /** Bytes of segments that the disk did not take. */
  memoryBytesMax: number;
  /** The open segment is closed at this size … */
  segmentBytesMax: number;
  /** … or at this age, if it holds anything. */
  segmentAgeMaxMs: number;
}

/** Scans that will not be written to again. */
export interface Segment {
  /** Unique for good; the deduplication token. */
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** When its first scan was answered; 0 when an earlier process did. */
  readonly openedAtMs: number;
  /** The bytes, until another segment of the spool is read. */
  read(): Promise<Buffer>;
}

export type DropReason = 'spool_full' | 'disk_error';

export interface Spool {
  /**
   * Stores whole rows, before the return, on disk or, where the disk refuses, in memory.
   * @returns false when they were dropped (counted in {@link SpoolStatistics.dropped})
   */
  append(rows: number, bytes: Uint8Array): boolean;
  /** The oldest closed segment. */
  first(): Segment | undefined;
  /** Rows of all closed segments. */
  closedRows(): number;
  /** For how many ms the oldest scan has been here; a very long time for those of an earlier process, 0 if there is none. */
  oldestAgeMs(): number;
  /** Forgets a segment that every sink has. */
  remove(segment: Segment): void;
  /** Sets a segment aside that a sink refuses for good. */
  reject(segment: Segment): void;
  /** Calls back whenever a segment has been closed. */
  onClosed(callback: () => void): void;
  /** Closes the open segment, so that it can be sent. */
  rotate(): void;
  readonly statistics: SpoolStatistics;
  /** Closes the open segment and the timers; what is not sent stays on disk. */
  close(): Promise<void>;
}

export interface SpoolStatistics {
  bytes: number;
  memoryBytes: number;
  segments: number;
  /** Rows taken, and rows dropped by reason, since the start. */
  appended: number;
  dropped: Record<DropReason, number>;
  rejectedSegments: number;
  /** Rows of earlier processes found at the start, and bytes of half-written rows cut off then. */
  recoveredRows: number;
  recoveredBytesCut: number;
}

interface OpenSegment {
  name: string;
  file: string;
  /** Undefined once the disk has refused a write: the rest of the segment is in `chunks`. */
  fd: number | undefined;
  fileBytes: number;
  chunks: Buffer[];
  rows: number;
  bytes: number;
  openedAtMs: number;
}

/** Writes all bytes at `position`, or throws and leaves the file as long as it was. */
const writeWhole = (fd: number, bytes: Uint8Array, position: number): void => {
  let written = 0;
  try {
    while (written < bytes.length) {
      written += fs.writeSync(fd, bytes, written, bytes.length - written, position + written);
    }
  } catch (error) {
    fs.ftruncateSync(fd, position);
    throw error;
  }
};

const fileSegment = (
  reader: Reader,
  file: string,
  rows: number,
  bytes: number,
  openedAtMs: number,
): Segment => ({
  name: path.basename(file, extension),
  rows,
  bytes,
  openedAtMs,
  read: () => reader(file, bytes),
});

/** Reads the first `bytes` of a file: what a refused write may have left behind them is not a row. */
type Reader = (file: string, bytes: number) => Promise<Buffer>;

/**
 * One buffer for all segments: a new one for each would be megabytes a second that only a collection of the whole heap
 * gives back.
 */
const createReader = (): Reader => {
  let buffer = Buffer.alloc(0);
  return async (file, bytes) => {
    if (buffer.length < bytes) buffer = Buffer.allocUnsafeSlow(bytes);
    const handle = await fs.promises.open(file);
    try {
      let read = 0;
      while (read < bytes) {
        const { bytesRead } = await handle.read(buffer, read, bytes - read, read);
        if (bytesRead === 0) throw new Error(`${file} is shorter than its rows`);
        read += bytesRead;
      }
    } finally {
      await handle.close();
    }
    return buffer.subarray(0, bytes);
  };
};

/**
 * Resolves once what earlier processes left has been looked through.
 * @throws when the folder cannot be made or read
 */
export const openSpool = async (options: SpoolOptions, logger: Logger): Promise<Spool> => {
  const { folder, bytesMax, memoryBytesMax, segmentBytesMax, segmentAgeMaxMs } = options;
  await fs.promises.mkdir(folder, { recursive: true });
  const readStart = createReader();
  const recovered = await recoverFolder(folder, logger);
  const bytesCut = recovered.reduce((sum, segment) => sum + segment.bytesCut, 0);
  const closed = recovered
    .filter(({ rows }) => rows > 0)
    .map(({ file, rows, bytes }) => fileSegment(readStart, file, rows, bytes, 0));
  // Names sort in the order of writing, also across restarts: time first, then a number; random, to be unique.
  const boot = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
  const memory = new Map<Segment, number>();
  const listeners: (() => void)[] = [];
  let sequence = 0;
  let open: OpenSegment | undefined;
  let failing = false;
  const statistics: SpoolStatistics = {
    bytes: closed.reduce((sum, segment) => sum + segment.bytes, 0),
    memoryBytes: 0,
    segments: closed.length,
    appended: 0,
    dropped: { spool_full: 0, disk_error: 0 },
    rejectedSegments: 0,
    recoveredRows: closed.reduce((sum, segment) => sum + segment.rows, 0),
    recoveredBytesCut: bytesCut,
  };

  const diskRefused = (error: unknown): void => {
    if (!failing) logger.error({ err: error, folder }, 'spool cannot write: scans are kept in memory');
    failing = true;
  };
  const diskWorks = (): void => {
    if (failing) logger.info({ folder }, 'spool writes again');
    failing = false;
  };

  const openSegment = (): OpenSegment => {
    const name = `${boot}-${String(sequence++).padStart(10, '0')}`;
    const file = path.join(folder, `${name}${extension}`);
    let fd: number | undefined;
    try {
      fd = fs.openSync(file, 'wx', 0o600);
    } catch (error) {
      diskRefused(error);
    }
    return { name, file, fd, fileBytes: 0, chunks: [], rows: 0, bytes: 0, openedAtMs: Date.now() };
  };

  const toDisk = (segment: OpenSegment, bytes: Uint8Array): boolean => {
    if (segment.fd === undefined) return false;
    try {
      writeWhole(segment.fd, bytes, segment.fileBytes);
    } catch (error) {
      diskRefused(error);
      fs.closeSync(segment.fd);
      segment.fd = undefined;
      return false;
    }
    segment.fileBytes += bytes.length;
    diskWorks();
    return true;
  };

  const toMemory = (segment: OpenSegment, bytes: Uint8Array): boolean => {
    if (statistics.memoryBytes + bytes.length > memoryBytesMax) return false;
    segment.chunks.push(Buffer.from(bytes));
    statistics.memoryBytes += bytes.length;
    return true;
  };

  /** The closed form of a segment of which some or all rows are in memory: its file part and the chunks after it. */
  const memorySegment = ({
    name,
    file,
    fileBytes,
    chunks,
    rows,
    bytes,
    openedAtMs,
  }: OpenSegment): Segment => ({
    name,
    rows,
    bytes,
    openedAtMs,
    read: async () =>
      Buffer.concat([fileBytes > 0 ? await readStart(file, fileBytes) : Buffer.alloc(0), ...chunks]),
  });

  const rotate = (): void => {
    if (open === undefined || open.rows === 0) return;
    const segment = open;
    open = undefined;
    if (segment.fd !== undefined) fs.closeSync(segment.fd);
    if (segment.chunks.length === 0) {
      closed.push(fileSegment(readStart, segment.file, segment.rows, segment.bytes, segment.openedAtMs));
    } else {
      const inMemory = memorySegment(segment);
      memory.set(inMemory, segment.bytes - segment.fileBytes);
      closed.push(inMemory);
    }
    statistics.segments = closed.length;
    for (const listener of listeners) listener();
  };

  const forget = (segment: Segment): void => {
    closed.splice(closed.indexOf(segment), 1);
    statistics.segments = closed.length;
    statistics.bytes -= segment.bytes;
    statistics.memoryBytes -= memory.get(segment) ?? 0;
    memory.delete(segment);
  };

  const timer = setInterval(() => {
    if (open && open.rows > 0 && Date.now() - open.openedAtMs >= segmentAgeMaxMs) rotate();
  }, segmentAgeMaxMs / 4);
  timer.unref();

  return {
    append(rows, bytes) {
      if (statistics.bytes + bytes.length > bytesMax) {
        statistics.dropped.spool_full += rows;
        return false;
      }
      if (open === undefined) open = openSegment();
      if (!toDisk(open, bytes) && !toMemory(open, bytes)) {
        statistics.dropped.disk_error += rows;
        return false;
      }
      if (open.rows === 0) open.openedAtMs = Date.now();
      open.rows += rows;
      open.bytes += bytes.length;
      statistics.bytes += bytes.length;
      statistics.appended += rows;
      if (open.bytes >= segmentBytesMax) rotate();
      return true;
    },
    first: () => closed[0],
    oldestAgeMs() {
      const openedAtMs = closed[0]?.openedAtMs ?? (open && open.rows > 0 ? open.openedAtMs : undefined);
      return openedAtMs === undefined ? 0 : Date.now() - openedAtMs;
    },
    closedRows: () => closed.reduce((sum, { rows }) => sum + rows, 0),
    remove(segment) {
      forget(segment);
      fs.rmSync(path.join(folder, `${segment.name}${extension}`), { force: true });
    },
    reject(segment) {
      forget(segment);
      statistics.rejectedSegments++;
      const file = path.join(folder, `${segment.name}${extension}`);
      if (fs.existsSync(file)) fs.renameSync(file, `${file}${setAside}`);
    },
    onClosed: (callback) => void listeners.push(callback),
    rotate,
    statistics,
    async close() {
      clearInterval(timer);
      rotate();
    },
  };
};
