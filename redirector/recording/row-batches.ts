/** Rows on their way to the spool: gathered in a buffer as frames (segment-frames.ts), and handed over as batches. */
import { headerBytes, sealFrame } from './segment-frames.ts';

/** @template Row the type that is written as a row */
export interface RowEncoder<Row> {
  /** No row is longer. */
  readonly rowBytesMax: number;
  /** Writes a row. @returns the offset behind it */
  encode(row: Row, into: Buffer, at: number): number;
}

/** Whole frames. */
export interface RowBatch {
  rows: number;
  frames: Buffer;
}

export interface RowBatches<Row> {
  /** Whether one more row is certain to fit. */
  hasRoom(): boolean;
  write(row: Row): void;
  /**
   * Makes a frame of the rows written since the last one.
   * @param store gets the buffer and the offsets of the frame
   */
  seal<Result>(seed: number, store: (buffer: Buffer, from: number, to: number) => Result): Result;
  /** Takes the frames out as a batch; the next rows go to another buffer. */
  take(): RowBatch;
  /** Gives back the buffer of a batch. */
  giveBack(batch: RowBatch): void;
}

/** Buffers kept for reuse: one is being filled, one is on its way to the disk. */
const spareBuffersMax = 2;

/** @param capacityBytes of a batch, at least a row and the header of its frame */
export const createRowBatches = <Row>(encoder: RowEncoder<Row>, capacityBytes: number): RowBatches<Row> => {
  const newBuffer = (): Buffer => Buffer.allocUnsafeSlow(capacityBytes);
  const spare: Buffer[] = [];
  const roomNeeded = encoder.rowBytesMax + headerBytes;
  let buffer = newBuffer();
  let rows = 0;
  /** In no frame yet. */
  let openRows = 0;
  /** Where the frame that is being written begins. */
  let from = 0;
  let to = 0;

  return {
    hasRoom: () => to + roomNeeded <= capacityBytes,
    write(row) {
      to = encoder.encode(row, buffer, openRows === 0 ? to + headerBytes : to);
      openRows++;
      rows++;
    },
    seal(seed, store) {
      const start = from;
      sealFrame(buffer.subarray(start, to), openRows, seed);
      from = to;
      openRows = 0;
      return store(buffer, start, to);
    },
    take() {
      const batch = { rows, frames: buffer.subarray(0, to) };
      buffer = spare.pop() ?? newBuffer();
      rows = 0;
      from = 0;
      to = 0;
      return batch;
    },
    giveBack({ frames }) {
      if (spare.length < spareBuffersMax) spare.push(Buffer.from(frames.buffer));
    },
  };
};
