/** Tests that every storage passes: a folder and a bucket. */
import { describe, expect, test } from 'vitest';
import type { S3StorageSettings } from '#shared/config/storage-url.ts';
import { loadSettings } from '#shared/config.ts';
import { afterFile, temporaryFolder } from '../../../deploy/testing/local.ts';
import { createFileStorage } from './file/file-storage.ts';
import { createS3Storage } from './s3/s3-storage.ts';
import type { Storage } from './storage.ts';
import { chunksOf, contentsOf, keysOf, noise, put, textOf } from './testing/contents.ts';
import { startS3Server } from './testing/s3-server.ts';

const openFolder = async (): Promise<Storage> => createFileStorage(`${await temporaryFolder()}/storage`);

const openBucket = async (): Promise<Storage> => {
  const { url } = await startS3Server();
  const storage = createS3Storage(loadSettings({ STORAGE_URL: url }).storage as S3StorageSettings);
  afterFile(() => storage.close());
  return storage;
};

describe.each([
  ['a folder', openFolder],
  ['a bucket', openBucket],
])('%s', (_kind, open) => {
  const opened = open();

  test('returns the last stored content, with its size', async () => {
    const storage = await opened;
    expect(await storage.get('whole/a')).toBeUndefined();
    await put(storage, 'whole/a', 'first');
    await put(storage, 'whole/a', 'the second one');
    expect(await textOf(storage, 'whole/a')).toBe('the second one');
    expect(await storage.get('whole/a')).toMatchObject({
      size: 14,
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    await put(storage, 'whole/empty', '');
    expect([await textOf(storage, 'whole/empty'), (await storage.get('whole/empty'))?.size]).toEqual(['', 0]);
  });

  test('returns a range of bytes', async () => {
    const storage = await opened;
    await put(storage, 'range/a', '0123456789');
    const range = async (first: number, last: number) =>
      (await contentsOf(storage, 'range/a', { first, last }))?.toString();
    expect([await range(2, 5), await range(0, 9), await range(9, 9)]).toEqual(['2345', '0123456789', '9']);
  });

  test('stores a large source, byte by byte', async () => {
    const storage = await opened;
    const bytes = noise(20 * 2 ** 20 + 3);
    await storage.put('large/a', chunksOf(bytes, 2 ** 20 - 1));
    expect((await contentsOf(storage, 'large/a'))?.equals(bytes)).toBe(true);
    const tail = { first: bytes.length - 5, last: bytes.length - 1 };
    expect((await contentsOf(storage, 'large/a', tail))?.equals(bytes.subarray(-5))).toBe(true);
  });

  test.each([10, 20 * 2 ** 20])(
    'the beginning of a source that fails after %i bytes is never visible',
    async (size) => {
      const storage = await opened;
      const broken = chunksOf(Buffer.alloc(size), 2 ** 20, new Error('the source broke'));
      await expect(storage.put('broken/new', broken)).rejects.toThrow('the source broke');
      expect(await keysOf(storage, 'broken/')).toEqual([]);
      await put(storage, 'broken/old', 'as it was');
      const again = chunksOf(Buffer.alloc(size), 2 ** 20, new Error('the source broke'));
      await expect(storage.put('broken/old', again)).rejects.toThrow('the source broke');
      expect(await textOf(storage, 'broken/old')).toBe('as it was');
      await storage.remove('broken/old');
    },
  );

  test('the entity tag changes with the bytes; the former file is not mixed with the new one', async () => {
    const storage = await opened;
    await put(storage, 'changed/a', 'former');
    const former = (await storage.get('changed/a'))!;
    expect((await storage.get('changed/a'))!.etag).toBe(former.etag);
    await put(storage, 'changed/a', 'latter');
    expect((await storage.get('changed/a'))!.etag).not.toBe(former.etag);
    await expect(former.read({ first: 0, last: 2 })).rejects.toMatchObject({
      name: 'StorageFailure',
      reason: 'changed',
    });
    await storage.remove('changed/a');
    await expect(former.read()).rejects.toMatchObject({ reason: 'changed' });
  });

  test('removes a file, and ignores a missing one', async () => {
    const storage = await opened;
    await put(storage, 'removed/deep/er/a', 'x');
    await put(storage, 'removed/b', 'x');
    await storage.remove('removed/deep/er/a');
    await storage.remove('removed/deep/er/a');
    expect(await keysOf(storage, 'removed/')).toEqual(['removed/b']);
  });

  test('lists the files of a prefix, with their times', async () => {
    const storage = await opened;
    for (const key of ['list/one/a', 'list/one/b/c', 'list/ones/a', 'list/two']) await put(storage, key, 'x');
    expect(await keysOf(storage, 'list/one/')).toEqual(['list/one/a', 'list/one/b/c']);
    expect(await keysOf(storage, 'list/none/')).toEqual([]);
    for await (const { storedAt } of storage.list('list/'))
      expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(60_000);
  });

  test('lists all of its files if no prefix is given', async () => {
    const storage = await opened;
    for (const key of ['top', 'all/a', 'all/b/c']) await put(storage, key, 'x');
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    expect(keys).toEqual(expect.arrayContaining(['top', 'all/a', 'all/b/c']));
    expect(keys.filter((key) => key.startsWith('.'))).toEqual([]);
  });

  test('every function refuses a key that leads elsewhere', async () => {
    const storage = await opened;
    for (const key of [
      '../a',
      'a/../../b',
      '/etc/passwd',
      'a//b',
      '',
      '.incoming/a',
      'a/.b',
      'a\\b',
      'a\0',
      'ä',
    ]) {
      expect(() => storage.put(key, chunksOf(Buffer.from('x'), 1)), key).toThrow('is not a storage key');
      await expect(storage.get(key)).rejects.toThrow('is not a storage key');
      await expect(storage.remove(key)).rejects.toThrow('is not a storage key');
    }
    await expect(keysOf(storage, '../../')).rejects.toThrow('is not a storage key');
    await expect(keysOf(storage, 'list')).rejects.toThrow('must end with "/"');
  });

  test('a stream that is not read to its end is closed', async () => {
    const storage = await opened;
    await storage.put('unread/a', chunksOf(noise(2 ** 20), 2 ** 16));
    const file = (await storage.get('unread/a'))!;
    for (let count = 0; count < 270; count++) (await file.read()).destroy();
    expect((await contentsOf(storage, 'unread/a'))?.length).toBe(2 ** 20);
  });

  test('passes its own check', async () => {
    await expect((await opened).check()).resolves.toBeUndefined();
  });
});
