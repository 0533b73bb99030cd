/** A small disk of its own, mounted for the test: really frozen, read-only or full. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canMount, mountDisk, run } from '../../deploy/testing/disk.ts';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { append, batchOf, drain, drainRows, openTestSpool, rowsOf } from '../testing/spool.ts';
import type { RowBatch } from './row-batches.ts';

const batch = (count: number): RowBatch =>
  batchOf(Array.from({ length: count }, (_, index) => ({ codeId: `code${index}` })));

/** The rows that a process starting now would find, from a copy. */
const recovered = async (folder: string): Promise<Buffer> => {
  const copy = path.join(await temporaryFolder(), 'spool');
  fs.cpSync(folder, copy, { recursive: true });
  return drainRows((await openTestSpool({ folder: copy })).spool);
};

test.skipIf(!canMount)(
  'on a frozen disk scans go to memory; once it thaws, each is stored once',
  async () => {
    const disk = await mountDisk();
    const { spool } = await openTestSpool({
      folder: path.join(disk, 'spool'),
      writeTimeoutMs: 750,
      diskTimeoutMs: 750,
    });
    const [before, frozen, later, after] = [batch(1), batch(2), batch(3), batch(4)];
    const rows = [before, frozen, later, after].map(rowsOf);
    await append(spool, before);
    run('fsfreeze', '-f', disk);
    try {
      expect(await append(spool, frozen)).toBe(false);
      expect(await append(spool, later)).toBe(true);
      expect(spool.statistics).toMatchObject({ hanging: true, appended: 6, dropped: { disk_error: 0 } });
      await spool.rotate();
    } finally {
      run('fsfreeze', '-u', disk);
    }
    // Before anything is sent, and without another scan.
    await eventually(() => expect(spool.statistics).toMatchObject({ hanging: false, memoryBytes: 0 }));
    expect(await recovered(path.join(disk, 'spool'))).toEqual(Buffer.concat(rows.slice(0, 3)));
    await append(spool, after);
    await spool.rotate();
    const segments = await drain(spool);
    expect(segments.map(([segment]) => segment.rows)).toEqual([6, 4]);
    expect(Buffer.concat(segments.map(([, bytes]) => bytes))).toEqual(Buffer.concat(rows));
    await eventually(() =>
      expect(spool.statistics).toMatchObject({ bytes: 0, memoryBytes: 0, sentSegments: 0 }),
    );
  },
);

test.skipIf(!canMount)(
  'on a read-only disk sent segments stay until they can be deleted, and new scans go to memory',
  async () => {
    const disk = await mountDisk();
    const folder = path.join(disk, 'spool');
    const { spool } = await openTestSpool({ folder });
    for (let count = 1; count <= 3; count++) {
      await append(spool, batch(count));
      await spool.rotate();
    }
    // Files are closed in a later iteration; until then the disk cannot be made read-only.
    await eventually(() => run('mount', '-o', 'remount,ro', disk));
    expect((await drain(spool)).map(([segment]) => segment.rows)).toEqual([1, 2, 3]);
    const whole = batch(4);
    const rows = rowsOf(whole);
    await append(spool, whole);
    await spool.rotate();
    expect(await drainRows(spool)).toEqual(rows);
    expect(spool.first()).toBeUndefined();
    await eventually(() => expect(spool.statistics).toMatchObject({ sentSegments: 3, memoryBytes: 0 }));
    // A process that starts now finds them under their names.
    const next = await openTestSpool({ folder });
    expect((await drain(next.spool)).map(([segment]) => segment.rows)).toEqual([1, 2, 3]);
    run('mount', '-o', 'remount,rw', disk);
    await eventually(() => expect(spool.statistics).toMatchObject({ sentSegments: 0, bytes: 0 }));
    expect(fs.readdirSync(folder)).toEqual([]);
  },
);

test.skipIf(!canMount)('on a full disk scans go to memory; with room again, to disk', async () => {
  const disk = await mountDisk();
  const folder = path.join(disk, 'spool');
  const { spool } = await openTestSpool({ folder, memoryBytesMax: 2 ** 24, segmentBytesMax: 2 ** 24 });
  const batches = Array.from({ length: 60 }, () => batch(1000));
  const rows = batches.map(rowsOf);
  for (const one of batches) await append(spool, one);
  const { memoryBytes, bytes } = spool.statistics;
  expect(memoryBytes).toBeGreaterThan(0);
  expect(bytes - memoryBytes).toBeGreaterThan(2 ** 20);
  await spool.rotate();
  // Megabytes, which toEqual would compare byte by byte.
  expect((await drainRows(spool)).equals(Buffer.concat(rows))).toBe(true);
  await eventually(() => expect(spool.statistics.bytes).toBe(0));
  await append(spool, batch(1));
  expect(spool.statistics.memoryBytes).toBe(0);
  expect(fs.readdirSync(folder)).toHaveLength(1);
});

test.skipIf(!canMount)(
  'a disk that is full after a stall, and stalls again, has each scan once when there is room',
  async () => {
    const disk = await mountDisk();
    const folder = path.join(disk, 'spool');
    const { spool } = await openTestSpool({
      folder,
      memoryBytesMax: 2 ** 24,
      segmentBytesMax: 2 ** 18,
      writeTimeoutMs: 750,
      diskTimeoutMs: 750,
    });
    const rows: Buffer[] = [];
    const store = async (count: number) => {
      const one = batch(count);
      rows.push(rowsOf(one));
      await append(spool, one);
    };
    const filling = path.join(disk, 'filling');
    const fill = () => {
      try {
        for (;;) fs.appendFileSync(filling, Buffer.alloc(2 ** 14));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    };
    await store(1000);
    fill();
    for (let stall = 0; stall < 2; stall++) {
      run('fsfreeze', '-f', disk);
      try {
        // Some of it is written late or in part.
        for (let count = 0; count < 5; count++) await store(1000);
        await eventually(() => expect(spool.statistics.hanging).toBe(true));
      } finally {
        run('fsfreeze', '-u', disk);
      }
      await eventually(() => expect(spool.statistics.hanging).toBe(false));
      await store(2000);
      expect(spool.statistics).toMatchObject({ dropped: { disk_error: 0 } });
      expect(spool.statistics.memoryBytes).toBeGreaterThan(0);
    }
    fs.rmSync(filling);
    await eventually(() => expect(spool.statistics.memoryBytes).toBe(0));
    const all = Buffer.concat(rows);
    expect((await recovered(folder)).equals(all)).toBe(true);
    await spool.rotate();
    expect((await drainRows(spool)).equals(all)).toBe(true);
    await eventually(() => expect(spool.statistics).toMatchObject({ bytes: 0, sentSegments: 0 }));
  },
);

test.skipIf(!canMount)(
  'a refused segment whose file a frozen disk sets aside too late is done, once the disk thaws',
  async () => {
    const disk = await mountDisk();
    const folder = path.join(disk, 'spool');
    const { spool } = await openTestSpool({ folder, diskTimeoutMs: 750 });
    await append(spool, batch(1));
    await spool.rotate();
    const { name } = spool.first()!;
    run('fsfreeze', '-f', disk);
    try {
      spool.reject(spool.first()!);
      await eventually(() => expect(spool.statistics.hanging).toBe(true));
    } finally {
      run('fsfreeze', '-u', disk);
    }
    await eventually(() => expect(spool.statistics).toMatchObject({ rejectedPending: 0, bytes: 0 }));
    expect(fs.readdirSync(folder)).toEqual([`${name}.frames.rejected`]);
  },
);
