/** Faults of a folder: a full disk, a killed process, a path that is not a folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canMount, mountDisk } from '../../../../deploy/testing/disk.ts';
import { afterFile, temporaryFolder } from '../../../../deploy/testing/local.ts';
import { chunksOf, contentsOf, keysOf, noise, put, textOf } from '../testing/contents.ts';
import { createFileStorage } from './file-storage.ts';

const filesIn = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    return entry.isFile() ? [entry.name] : [];
  });

test.skipIf(!canMount)(
  'a full disk stores nothing, keeps no half file, and leaves the rest unharmed',
  async () => {
    const root = path.join(await mountDisk(8), 'storage');
    const storage = createFileStorage(root);
    await put(storage, 'a/kept', 'as it was');
    await expect(storage.put('a/kept', chunksOf(noise(16 * 2 ** 20), 2 ** 18))).rejects.toMatchObject({
      name: 'StorageFailure',
      reason: 'full',
      message: expect.stringMatching(/^The storage \(STORAGE_URL\) has no room left: ENOSPC/),
    });
    expect(filesIn(root)).toEqual(['kept']);
    expect(await textOf(storage, 'a/kept')).toBe('as it was');
    const small = noise(2 ** 20);
    await storage.put('a/small', chunksOf(small, 2 ** 18));
    expect((await contentsOf(storage, 'a/small'))?.equals(small)).toBe(true);
    await expect(storage.check()).resolves.toBeUndefined();
    const filler = fs.openSync(path.join(root, 'filler'), 'w');
    expect(() => {
      for (;;) fs.writeSync(filler, Buffer.alloc(2 ** 16));
    }).toThrow('ENOSPC');
    fs.closeSync(filler);
    await expect(storage.check()).rejects.toMatchObject({ reason: 'full' });
  },
);

test.skipIf(!canMount)('part of the disk is left free for its other contents', async () => {
  const disk = await mountDisk(32);
  const storage = createFileStorage(path.join(disk, 'storage'));
  const filler = path.join(disk, 'filler');
  const freeBytes = () => {
    const { bavail, bsize } = fs.statfsSync(disk);
    return bavail * bsize;
  };
  const fillTo = (bytes: number) => {
    while (freeBytes() > bytes) fs.appendFileSync(filler, Buffer.alloc(2 ** 16));
  };
  fillTo(17 * 2 ** 20);
  const full = { name: 'StorageFailure', reason: 'full', message: expect.stringContaining('are reserved') };
  // The space runs out during the write.
  await expect(storage.put('a/large', chunksOf(noise(16.5 * 2 ** 20), 2 ** 18))).rejects.toMatchObject(full);
  expect(freeBytes()).toBeGreaterThan(16 * 2 ** 20);
  await put(storage, 'a/small', 'small');
  fillTo(2 ** 20);
  await expect(put(storage, 'a/late', 'late')).rejects.toMatchObject(full);
  await expect(storage.check()).rejects.toMatchObject(full);
  expect(await textOf(storage, 'a/small')).toBe('small');
  fs.rmSync(filler);
  await put(storage, 'a/late', 'late');
});

const endlessPut = `
  import { createFileStorage } from './control-plane/platform/storage/file/file-storage.ts';
  async function* endless() {
    for (;;) {
      yield Buffer.alloc(1000);
      console.log('written');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  await createFileStorage(process.argv[1]).put('a/never', endless());`;

test('the leftovers of a killed process are never visible, and are swept once old', async () => {
  const root = await temporaryFolder();
  const child = spawn(process.execPath, ['--input-type=module', '-e', endlessPut, root], {
    cwd: path.resolve(import.meta.dirname, '../../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterFile(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;

  const storage = createFileStorage(root);
  expect(filesIn(root)).toHaveLength(1);
  expect([await storage.get('a/never'), await keysOf(storage, 'a/')]).toEqual([undefined, []]);
  await storage.sweep();
  expect(filesIn(root)).toHaveLength(1);
  await createFileStorage(root, () => Date.now() + 2 * 3_600_000).sweep();
  expect(filesIn(root)).toEqual([]);
});

test('empty folders are removed, even while others are created', async () => {
  const root = await temporaryFolder();
  const storage = createFileStorage(root);
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await put(storage, `a/b/${n}`, 'x');
      await storage.remove(`a/b/${n}`);
    }),
  );
  expect(fs.readdirSync(root)).toEqual(['.incoming']);
});

test('a path that is not a folder, or a folder that is not writable, is reported', async () => {
  const file = path.join(await temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const storage = createFileStorage(path.join(file, 'storage'));
  const failure = {
    name: 'StorageFailure',
    reason: 'refused',
    message: expect.stringContaining(`${file} is no folder`),
  };
  await expect(storage.check()).rejects.toMatchObject(failure);
  await expect(put(storage, 'a', 'x')).rejects.toMatchObject({ name: 'StorageFailure' });
  expect(await storage.get('a')).toBeUndefined();
});
