import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { centralHeader, endOfZip, localHeader, localHeaderBytes, type ZipEntry } from './records.ts';

const time = new Date('2026-11-22T20:00:02Z');

const entry = (name: string, bytes: number): ZipEntry => ({
  name,
  bytes,
  packedBytes: bytes,
  crc: 0x12345678,
  isDeflated: false,
});

/** A zip whose files are zeros that are nowhere: its records, by where they begin, and its length. */
class SparseZip extends RandomAccessReader {
  readonly records: [offset: number, bytes: Buffer][] = [];
  length = 0;

  add(record: Buffer): void {
    this.records.push([this.length, record]);
    this.length += record.length;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = Buffer.alloc(end - start);
    for (const [offset, record] of this.records) {
      const from = Math.max(start, offset);
      if (from < Math.min(end, offset + record.length))
        record.copy(bytes, from - start, from - offset, end - offset);
    }
    return Readable.from([bytes], { objectMode: false });
  }
}

const zipOf = (entries: readonly ZipEntry[]): SparseZip => {
  const zip = new SparseZip();
  const offsets = entries.map((each) => {
    const offset = zip.length;
    zip.add(localHeader(each, time));
    zip.length += each.packedBytes;
    return offset;
  });
  const listOffset = zip.length;
  for (const [at, each] of entries.entries()) zip.add(centralHeader(each, time, offsets[at]!));
  zip.add(endOfZip(entries.length, zip.length - listOffset, listOffset));
  return zip;
};

const entriesOf = async (zip: SparseZip) => {
  const archive = await fromRandomAccessReaderPromise(zip, zip.length, {
    lazyEntries: true,
    autoClose: false,
  });
  const found = [];
  for await (const each of archive.eachEntry()) found.push(each);
  return found;
};

test('a zip has its entries with their sizes, checksums, offsets and times', async () => {
  const entries = [entry('2NqU7yWbZ4kc.png', 700), entry('2NqU7yWbZ4kd.png', 0)];
  const found = await entriesOf(zipOf(entries));
  expect(
    found.map(({ fileName, uncompressedSize, crc32, relativeOffsetOfLocalHeader }) => [
      fileName,
      uncompressedSize,
      crc32,
      relativeOffsetOfLocalHeader,
    ]),
  ).toEqual([
    ['2NqU7yWbZ4kc.png', 700, 0x12345678, 0],
    ['2NqU7yWbZ4kd.png', 0, 0x12345678, localHeaderBytes('2NqU7yWbZ4kc.png') + 700],
  ]);
  expect(found[0]!.getLastModDate({ timezone: 'UTC' })).toEqual(time);
});

test('a zip of more than 4 GB, and one of more than 65,535 files, are read whole', async () => {
  const large = Array.from({ length: 6 }, (_, n) => entry(`2NqU7yWbZ4k${n}.png`, 2 ** 30));
  const found = await entriesOf(zipOf(large));
  expect(found.map(({ relativeOffsetOfLocalHeader }) => relativeOffsetOfLocalHeader)).toEqual(
    large.map((_, n) => n * (2 ** 30 + localHeaderBytes(large[0]!.name))),
  );
  const many = Array.from({ length: 65_536 }, (_, n) => entry(`${n}.png`, 1));
  const zip = zipOf(many);
  const archive = await fromRandomAccessReaderPromise(zip, zip.length, {
    lazyEntries: true,
    autoClose: false,
  });
  expect(archive.entryCount).toBe(65_536);
});
