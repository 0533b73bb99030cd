/** Writes rows as JSON lines: for infrequent rows, each checked by its reader. */
import type { RowEncoder } from './row-batches.ts';

/** @param rowBytesMax of a line; the texts of the caller's rows are bounded */
export const createLineEncoder = <Row>(rowBytesMax: number): RowEncoder<Row> => ({
  rowBytesMax,
  encode(row, into, at) {
    const line = `${JSON.stringify(row)}\n`;
    if (Buffer.byteLength(line) > rowBytesMax)
      throw new Error(`a row of ${Buffer.byteLength(line)} bytes is longer than ${rowBytesMax}`);
    return at + into.write(line, at, 'utf8');
  },
});
