/**
 * A disk that hangs: system calls that really do not return, on a FIFO in place of a segment's file. Opening a FIFO
 * waits for the other end, and writing to a full one waits for a reader.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { append, batchOf, drain, drainRows, openTestSpool, rowsOf } from '../testing/spool.ts';
import type { RowBatch } from './row-batches.ts';
import type { SpoolOptions } from './spool.ts';

const batch = (codeId: string, count = 1): RowBatch =>
  batchOf(Array.from({ length: count }, () => ({ codeId })));

const makeFifo = (file: string): void => void execFileSync('mkfifo', [file]);

/** Opens the other end for reading, even if another reader has it open. */
const openOtherEnd = (file: string): number => {
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  afterFile(() => fs.closeSync(fd));
  return fd;
};

/** Reads a FIFO until it is empty. */
const readAll = async (fd: number, isDone: () => boolean): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(2 ** 16);
  for (let done = false; ; ) {
    try {
      chunks.push(Buffer.from(chunk.subarray(0, fs.readSync(fd, chunk))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      if (done) return Buffer.concat(chunks);
      done = isDone();
      await sleep(5);
    }
  }
};

/** Longer than a write takes on a busy machine: only hanging writes take this long. */
const hangsAfterMs = 750;

/** A spool whose first segment is closed and on disk, and whose next file is a FIFO. */
const openBeforeHang = async (options: Parameters<typeof openTestSpool>[0] = {}) => {
  const { spool, folder } = await openTestSpool({ writeTimeoutMs: hangsAfterMs, ...options });
  const first = batch('before');
  await append(spool, first);
  await spool.rotate();
  const fifo = path.join(
    folder,
    fs.readdirSync(folder)[0]!.replace(/0000000000\.frames$/, '0000000001.frames'),
  );
  makeFifo(fifo);
  return { spool, folder, fifo, first };
};

test('the oldest scan counts from when it was handed over, also while it is being written and behind another write', async () => {
  const { spool, fifo } = await openBeforeHang({ writeTimeoutMs: 60_000 });
  spool.remove(spool.first()!);
  expect(spool.oldestAgeMs()).toBe(0);
  const handedOverMs = Date.now();
  const stored = [append(spool, batch('under way')), append(spool, batch('behind it'))];
  await eventually(() => expect(spool.oldestAgeMs()).toBeGreaterThan(100));
  expect(spool.oldestAgeMs()).toBeLessThanOrEqual(Date.now() - handedOverMs);
  openOtherEnd(fifo);
  await Promise.all(stored);
});

test('a disk that does not open a file holds up no scan: scans go to memory and are sent from there', async () => {
  const { spool, folder, fifo, first } = await openBeforeHang();
  const [hung, next] = [batch('hung'), batch('next')];
  const rows = [rowsOf(hung), rowsOf(next)];
  // The disk still holds its buffer.
  expect(await append(spool, hung)).toBe(false);
  expect(await append(spool, next)).toBe(true);
  expect(spool.statistics).toMatchObject({
    hanging: true,
    hangs: 1,
    appended: 3,
    dropped: { disk_error: 0 },
  });
  await spool.rotate();
  // The first segment is on the hanging disk; it does not hold up this one.
  const inMemory = spool.first()!;
  expect(await inMemory.read()).toEqual(Buffer.concat(rows));
  spool.remove(inMemory);
  expect(spool.first()).toBeUndefined();
  const closed = new Promise<void>((resolve) => spool.onClosed(resolve));
  openOtherEnd(fifo);
  await closed;
  expect(spool.statistics).toMatchObject({ hanging: false, memoryBytes: 0 });
  const after = batch('after');
  await append(spool, after);
  await spool.rotate();
  // The late write does not count a second time.
  expect(await drainRows(spool)).toEqual(Buffer.concat([rowsOf(first), rowsOf(after)]));
  await eventually(() => expect(fs.readdirSync(folder)).toEqual([]));
});

test('a file created after its scans were sent from memory is deleted: no start sends them again', async () => {
  const { spool, folder, fifo } = await openBeforeHang();
  const [before] = fs.readdirSync(folder);
  // The hanging open is on this FIFO, under any name.
  const sameFifo = path.join(await temporaryFolder(), 'fifo');
  fs.linkSync(fifo, sameFifo);
  const hung = batch('hung');
  await append(spool, hung);
  await spool.rotate();
  spool.remove(spool.first()!);
  await eventually(() => expect(spool.statistics).toMatchObject({ sentSegments: 0, memoryBytes: 0 }));
  expect(fs.readdirSync(folder)).toEqual([before]);
  fs.writeFileSync(fifo, hung.frames);
  openOtherEnd(sameFifo);
  await eventually(() => expect(spool.statistics.hanging).toBe(false));
  await eventually(() => expect(fs.readdirSync(folder)).toEqual([before]));
});

test('while a write hangs, a segment begun before is kept in memory, and the late write counts once', async () => {
  let segmentAgeMs = 60_000;
  const { spool, folder, fifo } = await openBeforeHang({ segmentAgeMs: () => segmentAgeMs });
  spool.remove(spool.first()!);
  const otherEnd = openOtherEnd(fifo);
  const [stored, hung, next] = [batch('stored'), batch('hung', 2000), batch('next')];
  const rows = [stored, hung, next].map(rowsOf);
  await append(spool, stored);
  const abandoned = append(spool, hung);
  segmentAgeMs = 0;
  await sleep(200);
  // The next segment begins before the disk is known to hang. Its file would hang, too.
  const after = append(spool, next);
  const nextFile = fifo.replace(/1\.frames$/, '2.frames');
  makeFifo(nextFile);
  expect(await abandoned).toBe(false);
  expect(await after).toBe(true);
  expect(spool.statistics).toMatchObject({ hanging: true, hangs: 1 });
  fs.rmSync(nextFile);
  const written = await readAll(otherEnd, () => !spool.statistics.hanging);
  expect(written).toEqual(Buffer.concat([stored.frames, hung.frames]));
  await spool.rotate();
  await eventually(() => expect(spool.statistics.memoryBytes).toBe(0));
  fs.rmSync(fifo);
  fs.writeFileSync(fifo, written);
  expect(await drainRows(spool)).toEqual(Buffer.concat(rows));
  await eventually(() => expect(fs.readdirSync(folder)).toEqual([]));
});

test('an abandoned write that the disk completes later counts once', async () => {
  const { spool, folder, fifo, first } = await openBeforeHang();
  const otherEnd = openOtherEnd(fifo);
  const [stored, hung] = [batch('stored'), batch('hung', 2000)];
  expect(hung.frames.length).toBeGreaterThan(2 ** 16);
  expect(await append(spool, stored)).toBe(true);
  expect(await append(spool, hung)).toBe(false);
  expect(spool.statistics).toMatchObject({ hanging: true, memoryBytes: hung.frames.length });
  await spool.rotate();
  // The disk answers again, and completes the write.
  const written = await readAll(otherEnd, () => !spool.statistics.hanging);
  // The segment has left memory: its file stays.
  expect(spool.statistics.memoryBytes).toBe(0);
  expect(written).toEqual(Buffer.concat([stored.frames, hung.frames]));
  fs.rmSync(fifo);
  fs.writeFileSync(fifo, written);
  const rows = Buffer.concat([first, stored, hung].map(rowsOf));
  const segments = await drain(spool);
  expect(segments.map(([segment]) => segment.rows)).toEqual([1, 2001]);
  expect(Buffer.concat(segments.map(([, bytes]) => bytes))).toEqual(rows);
  await eventually(() => expect(fs.readdirSync(folder)).toEqual([]));
  // A process that takes over before it was sent finds the late write in the file once.
  fs.writeFileSync(fifo, written);
  const next = await openTestSpool({ folder });
  expect(await drainRows(next.spool)).toEqual(Buffer.concat([stored, hung].map(rowsOf)));
});

test('scans are synced to disk as SPOOL_SYNC says: never, within a second, or before they are stored', async () => {
  // A FIFO takes writes and refuses fsync.
  const storeIn = async (sync: SpoolOptions['sync']) => {
    const again = await openBeforeHang({ writeTimeoutMs: 60_000, syncEveryMs: 20, sync });
    openOtherEnd(again.fifo);
    await append(again.spool, batch('synced'));
    return again.spool;
  };
  const none = await storeIn('none');
  expect(none.statistics).toMatchObject({ memoryBytes: 0 });
  const interval = await storeIn('interval');
  expect(interval.statistics).toMatchObject({ memoryBytes: 0 });
  await eventually(() => expect(interval.statistics.syncFailures).toBeGreaterThan(0));
  // A scan is not stored on disk before the disk has confirmed it.
  const always = await storeIn('always');
  expect(always.statistics.memoryBytes).toBeGreaterThan(0);
  expect(none.statistics.syncFailures).toBe(0);
});

test('scans that arrive during a write are stored with one write', async () => {
  const { spool, fifo } = await openBeforeHang({ writeTimeoutMs: 60_000 });
  const stored = Promise.all(['one', 'two', 'three'].map((codeId) => append(spool, batch(codeId))));
  const otherEnd = openOtherEnd(fifo);
  expect(await stored).toEqual([true, true, true]);
  const written = await readAll(otherEnd, () => true);
  expect(['one', 'two', 'three'].map((codeId) => written.includes(codeId))).toEqual([true, true, true]);
});

test('a spool that was emptied while the disk hung notices when the disk answers again', async () => {
  const { spool, folder, fifo } = await openBeforeHang();
  spool.remove(spool.first()!);
  await eventually(() => expect(fs.readdirSync(folder)).toEqual([path.basename(fifo)]));
  const sameFifo = path.join(await temporaryFolder(), 'fifo');
  fs.linkSync(fifo, sameFifo);
  await append(spool, batch('hung'));
  await spool.rotate();
  spool.remove(spool.first()!);
  const empty = { hanging: true, bytes: 0, segments: 0, sentSegments: 0 };
  await eventually(() => expect(spool.statistics).toMatchObject(empty));
  // Several ticks.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const closed = new Promise<void>((resolve) => spool.onClosed(resolve));
  openOtherEnd(sameFifo);
  await closed;
  expect(spool.statistics.hanging).toBe(false);
});

test('a hanging disk holds at most two threads, whatever the operations', async () => {
  const { spool, folder } = await openBeforeHang({ diskTimeoutMs: hangsAfterMs });
  const onDisk = path.join(folder, fs.readdirSync(folder)[0]!);
  fs.rmSync(onDisk);
  makeFifo(onDisk);
  const waiting = spool.first()!;
  // One thread: a write.
  await append(spool, batch('hung'));
  // Another: a read. Further operations are refused at once, and take no thread.
  for (let i = 0; i < 20; i++)
    await expect(waiting.read()).rejects.toThrow(/does not answer|has not answered/);
  for (let i = 0; i < 5; i++) {
    await append(spool, batch('memory'));
    await spool.rotate();
    spool.remove(spool.first()!);
  }
  spool.remove(waiting);
  // Two of them have files to delete.
  await eventually(() => expect(spool.statistics).toMatchObject({ sentSegments: 2, memoryBytes: 0 }));
  expect(spool.statistics.hanging).toBe(true);
  // Two of the pool's four threads are free.
  const stat = await Promise.all(Array.from({ length: 20 }, () => fs.promises.stat(import.meta.filename)));
  expect(stat).toHaveLength(20);
  for (const name of fs.readdirSync(folder)) openOtherEnd(path.join(folder, name));
  await eventually(() => expect(spool.statistics).toMatchObject({ hanging: false, sentSegments: 0 }));
});

test('a process that gets no CPU for a while does not mistake that for a hanging disk: its write counts as in time', async () => {
  const { spool, folder } = await openTestSpool({ writeTimeoutMs: 100 });
  await append(spool, batch('first'));
  const stored = append(spool, batch('stopped'));
  // Meanwhile neither timers nor answers of the disk are seen.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  expect(await stored).toBe(true);
  expect(spool.statistics).toMatchObject({ hangs: 0, memoryBytes: 0 });
  expect(fs.readdirSync(folder)).toHaveLength(1);
});

test('a write that no thread of the pool has begun gets a little more time, but not forever', async () => {
  const { spool, folder } = await openTestSpool({ writeTimeoutMs: 100 });
  await append(spool, batch('first'));
  const home = await temporaryFolder();
  /** Holds all four threads of the pool. @returns a function that frees them */
  const holdPool = (): (() => Promise<void>) => {
    const fifos = Array.from({ length: 4 }, () => path.join(home, randomUUID()));
    for (const fifo of fifos) makeFifo(fifo);
    const opening = fifos.map((fifo) => fs.promises.open(fifo, 'r'));
    return async () => {
      for (const fifo of fifos) openOtherEnd(fifo);
      for (const handle of await Promise.all(opening)) await handle.close();
    };
  };
  const free = holdPool();
  const stored = append(spool, batch('queued'));
  // Several deadline checks, but fewer than the limit.
  await new Promise((resolve) => setTimeout(resolve, 250));
  await free();
  expect(await stored).toBe(true);
  expect(spool.statistics).toMatchObject({ hangs: 0, memoryBytes: 0 });
  const freeAgain = holdPool();
  expect(await append(spool, batch('given up'))).toBe(false);
  expect(spool.statistics).toMatchObject({ hangs: 1, hanging: true });
  await freeAgain();
  await eventually(() => expect(spool.statistics).toMatchObject({ hanging: false, memoryBytes: 0 }));
  expect(fs.readdirSync(folder)).toHaveLength(1);
});
