/** Writes rows as JSON lines into the frame of their batch: for infrequent rows, each checked by its reader. */
import type { RowWriter } from './row-writer.ts';
import { headerBytes } from './segment-frames.ts';

const newline = 0x0a;

/** Compacts the kept lines. @param keeps by index @returns their number, and their end */
const keepLines = (frame: Buffer, keeps: (index: number) => boolean): { rows: number; end: number } => {
  let rows = 0;
  let end = headerBytes;
  let from = headerBytes;
  for (let index = 0; from < frame.length; index++) {
    const next = frame.indexOf(newline, from) + 1;
    if (keeps(index)) {
      frame.copyWithin(end, from, next);
      end += next - from;
      rows++;
    }
    from = next;
  }
  return { rows, end };
};

/**
 * @param capacityBytes of lines in a buffer
 * @param rowBytesMax of a line; the texts of the caller's rows are bounded
 */
export const createLineWriter = <Row>(capacityBytes: number, rowBytesMax: number): RowWriter<Row> => {
  const end = headerBytes + capacityBytes;
  const newBuffer = (): Buffer => Buffer.allocUnsafeSlow(end);
  let spare: Buffer | undefined;
  let buffer = newBuffer();
  let offset = headerBytes;
  let rows = 0;

  return {
    get rows() {
      return rows;
    },
    hasRoom: () => offset + rowBytesMax <= end,
    write(row) {
      const line = `${JSON.stringify(row)}\n`;
      if (Buffer.byteLength(line) > rowBytesMax)
        throw new Error(`a row of ${Buffer.byteLength(line)} bytes is longer than ${rowBytesMax}`);
      offset += buffer.write(line, offset, 'utf8');
      rows++;
    },
    keep(keeps) {
      const kept = keepLines(buffer.subarray(0, offset), keeps);
      rows = kept.rows;
      offset = kept.end;
    },
    take() {
      const batch = { rows, frame: buffer.subarray(0, offset) };
      buffer = spare ?? newBuffer();
      spare = undefined;
      offset = headerBytes;
      rows = 0;
      return batch;
    },
    giveBack({ frame }) {
      spare ??= Buffer.from(frame.buffer);
    },
  };
};
