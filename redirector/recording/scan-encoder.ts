/**
 * Writes scans as rows (row-binary.ts). Hand-written because it is the hot path: 0.3 µs a row; an encoder driven by the
 * column table took 1.1 µs.
 */
import { devices, operatingSystems, type ScanEvent, scanKinds } from '#schemas/scan-event.ts';
import type { RowEncoder } from './row-batches.ts';
import { rowBytesMax } from './row-binary.ts';

const indexOf = <T extends string>(values: readonly T[]): Record<T, number> =>
  Object.fromEntries(values.map((value, index) => [value, index])) as Record<T, number>;

const kindIndex = indexOf(scanKinds);
const deviceIndex = indexOf(devices);
const osIndex = indexOf(operatingSystems);

const uint32Range = 2 ** 32;

export interface ScanEncoder extends RowEncoder<ScanEvent> {
  /** The UUID that the next row gets. */
  nextEventId(): string;
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** @param bootId 64 random bits as two UInt32: with a counter they make each event's id unique */
export const createScanEncoder = ([bootHigh, bootLow]: readonly [number, number]): ScanEncoder => {
  let buffer: Buffer = Buffer.alloc(0);
  let offset = 0;
  let counterLow = 0;
  let counterHigh = 0;

  // Byte stores are inlined into the row writing; DataView and Buffer methods are not.
  const word = (value: number): void => {
    buffer[offset] = value;
    buffer[offset + 1] = value >>> 8;
    buffer[offset + 2] = value >>> 16;
    buffer[offset + 3] = value >>> 24;
    offset += 4;
  };

  const utf8 = (text: string): void => {
    const bytes = Buffer.byteLength(text);
    if (bytes < 128) {
      buffer[offset++] = bytes;
    } else {
      buffer[offset++] = (bytes & 127) | 128;
      buffer[offset++] = bytes >>> 7;
    }
    offset += buffer.write(text, offset, 'utf8');
  };

  const string = (text: string): void => {
    const { length } = text;
    if (length > 127) return utf8(text);
    let to = offset;
    buffer[to++] = length;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return utf8(text);
      buffer[to++] = unit;
    }
    offset = to;
  };

  return {
    rowBytesMax,
    nextEventId: () =>
      [bootHigh, bootLow, counterHigh, counterLow]
        .map(hex)
        .join('')
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    encode(event, into, at) {
      buffer = into;
      offset = at;
      word(bootLow);
      word(bootHigh);
      word(counterLow);
      word(counterHigh);
      counterLow = (counterLow + 1) >>> 0;
      if (counterLow === 0) counterHigh++;
      word(event.tsMs | 0);
      word(event.tsMs / uint32Range);
      string(event.workspaceId);
      string(event.codeId);
      buffer[offset++] = kindIndex[event.kind];
      buffer[offset++] = deviceIndex[event.device];
      buffer[offset++] = osIndex[event.os];
      word(event.visitorLow);
      word(event.visitorHigh);
      string(event.browser);
      string(event.country);
      string(event.referrerHost);
      string(event.source);
      string(event.variantId);
      string(event.ruleId);
      return offset;
    },
  };
};
