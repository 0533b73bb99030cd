import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { append, batchOf, drain, drainRows, openTestSpool, rowsOf } from '../testing/spool.ts';
import type { RowBatch } from './row-batches.ts';
import type { Segment } from './segment.ts';
import { sealFrame, seedOf, walkFrames } from './segment-frames.ts';
import { createRowReader } from './segment-reader.ts';

const batch = (count: number): RowBatch =>
  batchOf(Array.from({ length: count }, (_, i) => ({ codeId: `code${i}`, tsMs: 1_790_000_000_000 })));

const files = (folder: string): string[] => fs.readdirSync(folder).sort();

test('a stored batch is on disk, and is read back as appended', async () => {
  const { spool, folder } = await openTestSpool();
  const [first, second] = [batch(3), batch(2)];
  await append(spool, first);
  const [file] = files(folder);
  expect(fs.readFileSync(path.join(folder, file!))).toEqual(first.frames);
  await append(spool, second);
  expect(spool.first()).toBeUndefined();
  await spool.rotate();
  const [[segment, read]] = (await drain(spool)) as [[Segment, Buffer]];
  expect(segment).toMatchObject({ name: path.parse(file!).name, rows: 5 });
  expect(read).toEqual(Buffer.concat([rowsOf(first), rowsOf(second)]));
  await eventually(() => expect(files(folder)).toEqual([]));
  // The disk is ahead of the process's knowledge of it.
  await eventually(() =>
    expect(spool.statistics).toMatchObject({ bytes: 0, segments: 0, sentSegments: 0, appended: 5 }),
  );
});

test('a segment is closed once it is large or old enough', async () => {
  const large = await openTestSpool({ segmentBytesMax: 100 });
  await append(large.spool, batch(3));
  expect(large.spool.first()).toBeDefined();
  let ageMs = 60_000;
  const old = await openTestSpool({ segmentAgeMs: () => ageMs });
  const closed = new Promise<void>((resolve) => old.spool.onClosed(resolve));
  await append(old.spool, batch(1));
  expect(old.spool.first()).toBeUndefined();
  ageMs = 40;
  await closed;
  expect(old.spool.first()?.rows).toBe(1);
});

test('while a segment waits to be sent, the next one grows past its age', async () => {
  const { spool } = await openTestSpool({ segmentAgeMs: () => 1 });
  await append(spool, batch(1));
  await eventually(() => expect(spool.first()?.rows).toBe(1));
  // 50 more, of any age, form one segment, which is closed when the first is gone.
  for (let i = 0; i < 50; i++) {
    await append(spool, batch(1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(spool.statistics.segments).toBe(1);
  spool.remove(spool.first()!);
  expect(spool.first()?.rows).toBe(50);
});

test('after a crash the segments of earlier processes are sent first, in order, under their names', async () => {
  const first = await openTestSpool();
  await append(first.spool, batch(2));
  await first.spool.rotate();
  await append(first.spool, batch(3));
  const names = files(first.folder);
  const second = await openTestSpool({ folder: first.folder });
  await append(second.spool, batch(4));
  await second.spool.rotate();
  const segments = (await drain(second.spool)).map(([segment]) => segment);
  expect(segments.map(({ rows }) => rows)).toEqual([2, 3, 4]);
  expect(segments.slice(0, 2).map(({ name }) => `${name}.frames`)).toEqual(names);
  expect(second.spool.statistics.recoveredRows).toBe(5);
});

test('a half-written frame is cut off and set aside, and the rows before it are sent', async () => {
  const { spool, folder } = await openTestSpool();
  const whole = batch(2);
  await append(spool, whole);
  const file = path.join(folder, files(folder)[0]!);
  fs.appendFileSync(file, whole.frames.subarray(0, 40));
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({ recoveredRows: 2, recoveredBytesCut: 40 });
  expect(await drainRows(next.spool)).toEqual(rowsOf(whole));
  await eventually(() => expect(files(folder)).toEqual([expect.stringMatching(/\.frames\.rejected$/)]));
});

test('zeros after a power loss are not scans', async () => {
  const { spool, folder } = await openTestSpool();
  const whole = batch(2);
  await append(spool, whole);
  const file = path.join(folder, files(folder)[0]!);
  fs.appendFileSync(file, Buffer.alloc(430));
  fs.writeFileSync(path.join(folder, '0-zeros.frames'), Buffer.alloc(4096));
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({ recoveredRows: 2, recoveredBytesCut: 430 + 4096 });
  expect(await drainRows(next.spool)).toEqual(rowsOf(whole));
});

test('a hole in the middle of a segment costs only the rows in it, none after it', async () => {
  const { spool, folder } = await openTestSpool();
  const frames = [batch(2), batch(3), batch(4)];
  for (const one of frames) await append(spool, one);
  const file = path.join(folder, files(folder)[0]!);
  const bytes = fs.readFileSync(file);
  const hole = frames[0]!.frames.length + 30;
  bytes.fill(0, hole, hole + 100);
  fs.writeFileSync(file, bytes);
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({
    recoveredRows: 6,
    recoveredBytesCut: frames[1]!.frames.length,
  });
  expect(await drainRows(next.spool)).toEqual(Buffer.concat([rowsOf(frames[0]!), rowsOf(frames[2]!)]));
});

test('a false frame marker costs no frame after it, however near', async () => {
  const { spool, folder } = await openTestSpool();
  const frames = [batch(2), batch(3)];
  for (const one of frames) await append(spool, one);
  const file = path.join(folder, files(folder)[0]!);
  const bytes = fs.readFileSync(file);
  const second = frames[0]!.frames.length;
  const falseBeginning = bytes.subarray(second, second + 4);
  fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, second), falseBeginning, bytes.subarray(second)]));
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({ recoveredRows: 5, recoveredBytesCut: 4 });
  expect(await drainRows(next.spool)).toEqual(Buffer.concat(frames.map(rowsOf)));
});

test('a frame of another segment, in reused blocks, is not a scan of this one', async () => {
  const { spool, folder } = await openTestSpool();
  await append(spool, batch(2));
  const file = path.join(folder, files(folder)[0]!);
  fs.copyFileSync(file, path.join(folder, '0-other.frames'));
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({ recoveredRows: 2 });
});

test('an unreadable file is counted, and the others are sent', async () => {
  const { spool, folder } = await openTestSpool();
  const whole = batch(2);
  await append(spool, whole);
  fs.mkdirSync(path.join(folder, '0-folder.frames'));
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({ unreadableFiles: 1, recoveredRows: 2 });
  expect(await drainRows(next.spool)).toEqual(rowsOf(whole));
});

test.each([
  ['of large frames', 16, 8000, 2 ** 21],
  ['of frames with a row each, as at low rates,', 20_000, 1, 2 ** 18],
])(
  'a segment %s is checked in pieces, with iterations of the event loop between them',
  async (_, frames, rowsOfFrame, pieceBytes) => {
    const name = 'segment';
    const one = batch(rowsOfFrame);
    sealFrame(one.frames, one.rows, seedOf(name));
    const bytes = Buffer.concat(Array.from({ length: frames }, () => one.frames));
    let iterations = 0;
    let walking = true;
    const count = () => {
      iterations++;
      if (walking) setImmediate(count);
    };
    setImmediate(count);
    let rows = 0;
    await walkFrames(bytes, seedOf(name), (frame) => {
      rows += frame.rows;
    });
    walking = false;
    expect(rows).toBe(frames * rowsOfFrame);
    expect(iterations).toBeGreaterThanOrEqual(Math.floor(bytes.length / pieceBytes));
  },
);

test('spools that share a reader use the memory of one segment, and each reads its own', async () => {
  const readRows = createRowReader();
  const segments: { rows: Buffer; read(): Promise<Buffer> }[] = [];
  for (let i = 0; i < 3; i++) {
    const { spool } = await openTestSpool({ readRows });
    const stored = batch(2);
    await append(spool, stored);
    await spool.rotate();
    segments.push({ rows: rowsOf(stored), read: () => spool.first()!.read() });
  }
  const buffers = new Set<ArrayBufferLike>();
  for (const { rows, read } of segments) {
    const bytes = await read();
    expect(bytes).toEqual(rows);
    buffers.add(bytes.buffer);
  }
  expect(buffers.size).toBe(1);
});

test('a full spool drops scans, and counts them', async () => {
  const { frames } = batch(1);
  const { spool } = await openTestSpool({ bytesMax: frames.length * 2 });
  for (let i = 0; i < 3; i++) await append(spool, batch(1));
  expect(spool.statistics).toMatchObject({ appended: 2, dropped: { spool_full: 1, disk_error: 0 } });
  await spool.rotate();
  await drain(spool);
  await eventually(() => expect(spool.statistics.bytes).toBe(0));
  await append(spool, batch(1));
  expect(spool.statistics).toMatchObject({ appended: 3, dropped: { spool_full: 1 } });
});

test('while the disk refuses writes, scans are kept in memory; once it takes writes again, they are written to disk', async () => {
  const batches = Array.from({ length: 4 }, () => batch(1));
  const rows = batches.map(rowsOf);
  const memoryBytes = batches[0]!.frames.length * 2;
  const { spool, folder } = await openTestSpool({ memoryBytesMax: memoryBytes });
  fs.rmSync(folder, { recursive: true });
  for (const one of batches.slice(0, 3)) await append(spool, one);
  expect(spool.statistics).toMatchObject({ memoryBytes, dropped: { disk_error: 1 } });
  fs.mkdirSync(folder);
  // Nothing closes the segment, and no further scan arrives.
  await eventually(() => expect(spool.statistics.memoryBytes).toBe(0));
  await append(spool, batches[3]!);
  expect(files(folder)).toHaveLength(2);
  const stored = Buffer.concat([rows[0]!, rows[1]!, rows[3]!]);
  // If the process ended now, the next one would have them.
  const next = path.join(await temporaryFolder(), 'spool');
  fs.cpSync(folder, next, { recursive: true });
  expect(await drainRows((await openTestSpool({ folder: next })).spool)).toEqual(stored);
  await spool.rotate();
  expect(await drainRows(spool)).toEqual(stored);
  await eventually(() =>
    expect(spool.statistics).toMatchObject({ bytes: 0, memoryBytes: 0, sentSegments: 0 }),
  );
});

test('a segment refused for good is set aside, not deleted', async () => {
  const { spool, folder } = await openTestSpool();
  await append(spool, batch(1));
  await spool.rotate();
  spool.reject(spool.first()!);
  expect(spool.first()).toBeUndefined();
  expect(spool.statistics).toMatchObject({ rejectedSegments: 1, rejectedRows: 1 });
  await eventually(() => expect(files(folder)).toEqual([expect.stringMatching(/\.frames\.rejected$/)]));
  await eventually(() => expect(spool.statistics).toMatchObject({ rejectedPending: 0, bytes: 0 }));
  expect((await openTestSpool({ folder })).spool.first()).toBeUndefined();
});

test('a refused segment in memory is kept, and set aside whole once the disk takes it', async () => {
  const { spool, folder } = await openTestSpool();
  const [first, second] = [batch(2), batch(3)];
  const rows = [rowsOf(first), rowsOf(second)];
  fs.rmSync(folder, { recursive: true });
  for (const one of [first, second]) await append(spool, one);
  await spool.rotate();
  spool.reject(spool.first()!);
  await eventually(() => expect(spool.statistics).toMatchObject({ rejectedRows: 5, rejectedPending: 1 }));
  expect(spool.statistics.memoryBytes).toBeGreaterThan(0);
  fs.mkdirSync(folder);
  await eventually(() => expect(spool.statistics).toMatchObject({ rejectedPending: 0, memoryBytes: 0 }));
  const [file] = files(folder);
  expect(file).toMatch(/\.frames\.rejected$/);
  // Under its own name it is a segment again.
  fs.renameSync(path.join(folder, file!), path.join(folder, file!.replace('.rejected', '')));
  const next = await openTestSpool({ folder });
  expect(await drainRows(next.spool)).toEqual(Buffer.concat(rows));
});

test('a large segment that was refused while in memory is a segment again under its own name', async () => {
  const { spool, folder } = await openTestSpool({ memoryBytesMax: 2 ** 26, segmentBytesMax: 2 ** 25 });
  const { rows, frames } = batch(10_000);
  fs.rmSync(folder, { recursive: true });
  const batches = Math.ceil(2 ** 24 / frames.length) + 1;
  for (let count = 0; count < batches; count++) await append(spool, { rows, frames: Buffer.from(frames) });
  await spool.rotate();
  spool.reject(spool.first()!);
  fs.mkdirSync(folder);
  await eventually(() => expect(spool.statistics.rejectedPending).toBe(0));
  const [file] = files(folder);
  fs.renameSync(path.join(folder, file!), path.join(folder, file!.replace('.rejected', '')));
  const next = await openTestSpool({ folder });
  expect(next.spool.statistics).toMatchObject({ recoveredRows: batches * rows, recoveredBytesCut: 0 });
});

test('refused segments in memory are dropped beyond a bound, the oldest first, and counted', async () => {
  const { length } = batch(1).frames;
  const { spool, folder } = await openTestSpool({ memoryBytesMax: 4 * length });
  fs.rmSync(folder, { recursive: true });
  for (let i = 0; i < 3; i++) {
    await append(spool, batch(1));
    await spool.rotate();
    spool.reject(spool.first()!);
  }
  await eventually(() =>
    expect(spool.statistics).toMatchObject({
      rejectedRows: 3,
      rejectedPending: 1,
      memoryBytes: length,
      dropped: { refused: 2 },
    }),
  );
});

test('a segment cannot be removed twice, and nothing else is removed in its place', async () => {
  const { spool } = await openTestSpool();
  for (let i = 1; i <= 3; i++) {
    await append(spool, batch(i));
    await spool.rotate();
  }
  const first = spool.first()!;
  spool.remove(first);
  expect(() => spool.remove(first)).toThrow('is not waiting');
  expect(() => spool.reject(first)).toThrow('is not waiting');
  expect((await drain(spool)).map(([{ rows }]) => rows)).toEqual([2, 3]);
});
