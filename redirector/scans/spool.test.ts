import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../../deploy/testing/index.ts';
import { sampleEvent } from '../testing/sample-event.ts';
import { createRowWriter } from './row-binary.ts';
import { openSpool, type Segment, type SpoolOptions } from './spool.ts';

const logger = pino({ level: 'silent' });

const rowsOf = (count: number): Uint8Array => {
  const writer = createRowWriter(2 ** 20, [1, 2]);
  for (let i = 0; i < count; i++) writer.write(sampleEvent({ codeId: `code${i}`, tsMs: 1_790_000_000_000 }));
  return Buffer.from(writer.bytes());
};

const open = async (options: Partial<SpoolOptions> = {}) => {
  const folder = options.folder ?? path.join(await temporaryFolder(), 'spool');
  const defaults = {
    bytesMax: 2 ** 30,
    memoryBytesMax: 2 ** 20,
    segmentBytesMax: 2 ** 20,
    segmentAgeMaxMs: 60_000,
  };
  const spool = await openSpool({ folder, ...defaults, ...options }, logger);
  afterFile(() => spool.close());
  return { spool, folder };
};

const files = (folder: string): string[] => fs.readdirSync(folder).sort();

const drain = async (spool: Awaited<ReturnType<typeof open>>['spool']): Promise<[Segment, Buffer][]> => {
  const read: [Segment, Buffer][] = [];
  for (let segment = spool.first(); segment; segment = spool.first()) {
    read.push([segment, Buffer.from(await segment.read())]);
    spool.remove(segment);
  }
  return read;
};

test('a segment holds exactly the bytes that were appended, on disk before append returns', async () => {
  const { spool, folder } = await open();
  const bytes = rowsOf(3);
  expect(spool.append(3, bytes)).toBe(true);
  const [file] = files(folder);
  expect(fs.readFileSync(path.join(folder, file!))).toEqual(bytes);
  expect(spool.first()).toBeUndefined();
  spool.rotate();
  const [[segment, read]] = (await drain(spool)) as [[Segment, Buffer]];
  expect(read).toEqual(bytes);
  expect(segment.rows).toBe(3);
  expect(files(folder)).toEqual([]);
  expect(spool.statistics).toMatchObject({ bytes: 0, segments: 0, appended: 3 });
});

test('a segment is closed when it is large enough, and when it is old enough', async () => {
  const large = await open({ segmentBytesMax: 100 });
  large.spool.append(3, rowsOf(3));
  expect(large.spool.first()).toBeDefined();
  const old = await open({ segmentAgeMaxMs: 40 });
  const closed = new Promise<void>((resolve) => old.spool.onClosed(resolve));
  old.spool.append(1, rowsOf(1));
  expect(old.spool.first()).toBeUndefined();
  await closed;
  expect(old.spool.first()?.rows).toBe(1);
});

test('after a crash the scans of earlier processes are sent first, in their order, under their names', async () => {
  const first = await open();
  first.spool.append(2, rowsOf(2));
  first.spool.rotate();
  first.spool.append(3, rowsOf(3));
  const names = files(first.folder);
  const second = await open({ folder: first.folder });
  second.spool.append(4, rowsOf(4));
  second.spool.rotate();
  const segments = (await drain(second.spool)).map(([segment]) => segment);
  expect(segments.map(({ rows }) => rows)).toEqual([2, 3, 4]);
  expect(segments.slice(0, 2).map(({ name }) => `${name}.rowbinary`)).toEqual(names);
  expect(second.spool.statistics.recoveredRows).toBe(5);
});

test('a half-written last row is cut off and kept aside, the rows before it are sent', async () => {
  const { spool, folder } = await open();
  spool.append(2, rowsOf(2));
  const file = path.join(folder, files(folder)[0]!);
  fs.appendFileSync(file, rowsOf(1).subarray(0, 20));
  const next = await open({ folder });
  const [[segment, bytes]] = (await drain(next.spool)) as [[Segment, Buffer]];
  expect(segment.rows).toBe(2);
  expect(bytes).toEqual(rowsOf(2));
  expect(next.spool.statistics.recoveredBytesCut).toBe(20);
  expect(files(folder).filter((name) => name.endsWith('.rejected'))).toHaveLength(1);
});

test('a full spool drops scans, and counts them', async () => {
  const row = rowsOf(1);
  const { spool } = await open({ bytesMax: row.length * 2 });
  expect([1, 2, 3].map(() => spool.append(1, row))).toEqual([true, true, false]);
  expect(spool.statistics.dropped).toEqual({ spool_full: 1, disk_error: 0 });
  spool.rotate();
  await drain(spool);
  expect(spool.append(1, row)).toBe(true);
});

test('while the disk refuses, scans are kept in memory; once it takes them again, on disk', async () => {
  const row = rowsOf(1);
  const { spool, folder } = await open({ memoryBytesMax: row.length * 2 });
  fs.rmSync(folder, { recursive: true });
  expect([1, 2, 3].map(() => spool.append(1, row))).toEqual([true, true, false]);
  expect(spool.statistics).toMatchObject({ memoryBytes: row.length * 2, dropped: { disk_error: 1 } });
  fs.mkdirSync(folder);
  spool.rotate();
  expect(spool.append(1, row)).toBe(true);
  expect(files(folder)).toHaveLength(1);
  spool.rotate();
  const bytes = Buffer.concat((await drain(spool)).map(([, read]) => read));
  expect(bytes).toEqual(Buffer.concat([row, row, row]));
  expect(spool.statistics).toMatchObject({ bytes: 0, memoryBytes: 0 });
});

test('a segment that is refused for good is set aside, not deleted', async () => {
  const { spool, folder } = await open();
  spool.append(1, rowsOf(1));
  spool.rotate();
  spool.reject(spool.first()!);
  expect(spool.first()).toBeUndefined();
  expect(files(folder)).toEqual([expect.stringMatching(/\.rowbinary\.rejected$/)]);
  expect((await open({ folder })).spool.first()).toBeUndefined();
});

test('what an earlier process left is looked through in pieces, with turns of the event loop between them', async () => {
  const { spool, folder } = await open({ segmentBytesMax: 2 ** 30 });
  const megabyte = rowsOf(8000);
  for (let i = 0; i < 8; i++) spool.append(8000, megabyte);
  let turns = 0;
  let opening = true;
  const count = () => {
    turns++;
    if (opening) setImmediate(count);
  };
  setImmediate(count);
  const next = await open({ folder });
  opening = false;
  expect(next.spool.statistics.recoveredRows).toBe(64_000);
  expect(turns).toBeGreaterThan((8 * megabyte.length) / 2 ** 18);
});
