/**
 * A spool without memory, as for verifications: batches are refused while the disk does not take them, and only then.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canMount, fillDisk, mountDisk, run } from '../../deploy/testing/disk.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { appendTo, batchOf, drainRows, openTestSpool, rowsOf } from '../testing/spool.ts';
import type { Spool, SpoolOptions } from './spool.ts';

const open = (options: Partial<SpoolOptions> = {}) => openTestSpool({ memoryBytesMax: 0, ...options });

const batch = (codeId: string, count = 1) => batchOf(Array.from({ length: count }, () => ({ codeId })));

/** @returns whether it is stored */
const store = (spool: Spool, rows = batch('one')): Promise<boolean> =>
  new Promise((resolve) => appendTo(spool, rows, (_, stored) => resolve(stored)));

test.each([0, 1])(
  'after the folder was missing, batches are stored again; %i were stored before',
  async (before) => {
    const { spool, folder } = await open();
    for (let count = 0; count < before; count++) {
      expect(await store(spool)).toBe(true);
      await spool.rotate();
    }
    fs.renameSync(folder, `${folder}.away`);
    for (let count = 0; count < 3; count++) expect(await store(spool)).toBe(false);
    fs.renameSync(`${folder}.away`, folder);
    const after = batch('after');
    expect(await store(spool, after)).toBe(true);
    await spool.rotate();
    expect((await drainRows(spool)).subarray(-rowsOf(after).length)).toEqual(rowsOf(after));
    await eventually(() => expect(spool.statistics).toMatchObject({ bytes: 0, sentSegments: 0 }));
    expect(fs.readdirSync(folder)).toEqual([]);
  },
);

test.skipIf(!canMount)('on a full disk batches are refused; with room again, stored', async () => {
  const disk = await mountDisk();
  const { spool, folder } = await open({ folder: path.join(disk, 'spool') });
  const first = batch('first');
  for (const stored of [[], [first]]) {
    for (const one of stored) expect(await store(spool, one)).toBe(true);
    const filling = fillDisk(disk);
    // The first one fills the block that its segment has.
    for (let count = 0; count < 3; count++) expect(await store(spool, batch('big', 200))).toBe(false);
    fs.rmSync(filling);
    const after = batch('after');
    expect(await store(spool, after)).toBe(true);
    await spool.rotate();
    expect(await drainRows(spool)).toEqual(Buffer.concat([...stored, after].map(rowsOf)));
    await eventually(() => expect(fs.readdirSync(folder)).toEqual([]));
  }
});

test('after an abandoned write batches are stored again, and its late file is deleted', async () => {
  const { spool, folder } = await open({ writeTimeoutMs: 750 });
  expect(await store(spool)).toBe(true);
  await spool.rotate();
  const [stored] = fs.readdirSync(folder);
  const fifo = path.join(folder, stored!.replace(/0000000000\.frames$/, '0000000001.frames'));
  execFileSync('mkfifo', [fifo]);
  const other = `${folder}.fifo`;
  fs.linkSync(fifo, other);
  expect(await store(spool, batch('hung'))).toBe(false);
  expect(await store(spool, batch('meanwhile'))).toBe(false);
  const fd = fs.openSync(other, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  afterFile(() => fs.closeSync(fd));
  await eventually(() => expect(spool.statistics.hanging).toBe(false));
  const after = batch('after');
  expect(await store(spool, after)).toBe(true);
  await eventually(() => expect(fs.readdirSync(folder)).not.toContain(path.basename(fifo)));
  await spool.rotate();
  expect((await drainRows(spool)).subarray(-rowsOf(after).length)).toEqual(rowsOf(after));
});

test.skipIf(!canMount)(
  'a refused batch that the disk writes later is not found when the file is recovered',
  async () => {
    const disk = await mountDisk();
    const folder = path.join(disk, 'spool');
    const { spool } = await open({ folder, writeTimeoutMs: 750 });
    const [before, refused, after] = [batch('before'), batch('refused'), batch('after')];
    expect(await store(spool, before)).toBe(true);
    run('fsfreeze', '-f', disk);
    try {
      expect(await store(spool, refused)).toBe(false);
    } finally {
      run('fsfreeze', '-u', disk);
    }
    await eventually(() => expect(spool.statistics.hanging).toBe(false));
    expect(await store(spool, after)).toBe(true);
    const sizes = () => fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).size);
    await eventually(() => expect(sizes()).toEqual([before.frames.length, after.frames.length]));
    const next = await open({ folder });
    expect(await drainRows(next.spool)).toEqual(Buffer.concat([before, after].map(rowsOf)));
  },
);
