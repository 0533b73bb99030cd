/**
 * Scans as RowBinary, ClickHouse's row format: the bytes in the frames of a segment, and in an INSERT. Written by
 * scan-encoder.ts; parsed here only to find row ends.
 */
import { devices, operatingSystems, scanColumns, scanKinds } from '#schemas/scan-event.ts';

/** The longest string of a row, in UTF-16 units; longer facts are cut earlier. */
export const stringLengthMax = 255;

/**
 * An upper bound of a row's bytes: 8 strings of at most 3 bytes a unit with a 2-byte length, and 16 + 8 + 3 + 8 more.
 */
export const rowBytesMax = 8 * (stringLengthMax * 3 + 2) + 35;

const fixedBytes = { uuid: 16, dateTime64: 8, uint64: 8, enum8: 1 } as const;
/** The largest value of each Enum8 column: a row with a larger byte is not ours. */
const enumMax: Record<string, number> = {
  kind: scanKinds.length - 1,
  device: devices.length - 1,
  os: operatingSystems.length - 1,
};

/** The offset after a string that begins at `start`, or -1 if it is cut off or longer than a row allows. */
const afterString = (bytes: Uint8Array, start: number): number => {
  const first = bytes[start];
  if (first === undefined) return -1;
  if (first < 128) return start + 1 + first <= bytes.length ? start + 1 + first : -1;
  const second = bytes[start + 1];
  if (second === undefined || second > 127) return -1;
  const length = (first & 127) | (second << 7);
  const end = start + 2 + length;
  return length <= stringLengthMax * 3 && end <= bytes.length ? end : -1;
};

/** @returns the offset after a row that begins at `start`, or -1 if there is no whole row */
export const afterRow = (bytes: Uint8Array, start: number): number => {
  let offset = start;
  for (const [name, encoding] of scanColumns) {
    if (encoding === 'string') {
      offset = afterString(bytes, offset);
      if (offset < 0) return -1;
      continue;
    }
    if (encoding === 'enum8' && (bytes[offset] ?? 255) > enumMax[name]!) return -1;
    offset += fixedBytes[encoding];
    if (offset > bytes.length) return -1;
  }
  return offset;
};
