/** Which requests reach the storage. */
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../deploy/testing/local.ts';
import { createFileStorage } from '../../../../platform/storage/file/file-storage.ts';
import { type Storage, StorageFailure } from '../../../../platform/storage/storage.ts';
import { chunksOf, put } from '../../../../platform/storage/testing/contents.ts';
import { type KeptFile, keyOf } from '../addresses.ts';
import { createImageIds } from '../image-ids.ts';
import { createHeldFiles } from './held-files.ts';

const ids = createImageIds(Buffer.alloc(32, 1));
const foreignIds = createImageIds(Buffer.alloc(32, 2));
const fileOf = (id: string): KeptFile => ({ id, width: 640, format: 'avif' });

/** A storage in a folder that counts its reads and can be taken away. */
const openStorage = async () => {
  const storage = createFileStorage(await temporaryFolder());
  const looked: string[] = [];
  const state = { isAway: false };
  const get: Storage['get'] = async (key) => {
    looked.push(key);
    if (state.isAway) throw new StorageFailure('away', 'it was unplugged');
    return storage.get(key);
  };
  return { ...storage, get, looked, state };
};

const open = async (nowMs?: () => number) => {
  const storage = await openStorage();
  const files = createHeldFiles({ storage, ids, ...(nowMs && { nowMs }) });
  const find = async (id: string, address = '192.0.2.1') =>
    (await files.find(fileOf(id), address))?.bytes.toString();
  return { storage, files, find };
};

test('many phones at once cause one read of a picture', async () => {
  const { storage, files, find } = await open();
  const id = ids.create();
  await put(storage, keyOf(fileOf(id)), 'the picture');
  const found = await Promise.all(Array.from({ length: 300 }, (_, n) => find(id, `192.0.2.${n}`)));
  expect(new Set(found)).toEqual(new Set(['the picture']));
  expect(await find(id)).toBe('the picture');
  expect([storage.looked.length, files.statistics().files]).toEqual([1, 1]);
});

test('invented ids reach the storage at most 20 times a second; beyond that they are 503', async () => {
  let now = 1_000_000;
  const { storage, find } = await open(() => now);
  const flood = () => Promise.allSettled(Array.from({ length: 500 }, () => find(foreignIds.create())));
  const outcomes = await flood();
  expect(storage.looked.length).toBe(20);
  expect(outcomes.at(-1)).toMatchObject({
    status: 'rejected',
    reason: { code: 'UNAVAILABLE', retryAfterSeconds: 1 },
  });
  // Our own ids are still found.
  const id = ids.create();
  await put(storage, keyOf(fileOf(id)), 'ours');
  expect(await find(id)).toBe('ours');
  now += 1_000;
  const old = foreignIds.create();
  await put(storage, keyOf(fileOf(old)), 'made under a key that is lost');
  expect(await find(old)).toBe('made under a key that is lost');
});

test('a missing file is remembered for a moment; an unavailable storage is not', async () => {
  const { storage, find } = await open();
  const [absent, away] = [ids.create(), ids.create()];
  expect([await find(absent), await find(absent)]).toEqual([undefined, undefined]);
  expect(storage.looked).toHaveLength(1);
  await put(storage, keyOf(fileOf(away)), 'there');
  storage.state.isAway = true;
  await expect(find(away)).rejects.toMatchObject({ reason: 'away' });
  storage.state.isAway = false;
  expect(await find(away)).toBe('there');
});

test('memory is bounded, and the most recently requested files are held', async () => {
  const { storage, files, find } = await open();
  const made = Array.from({ length: 80 }, () => ids.create());
  for (const id of made) {
    await storage.put(keyOf(fileOf(id)), chunksOf(Buffer.alloc(1_000_000), 1_000_000));
    await find(id);
  }
  expect(files.statistics().bytes).toBeLessThanOrEqual(64 * 2 ** 20);
  const before = storage.looked.length;
  await find(made.at(-1)!);
  expect(storage.looked.length).toBe(before);
  await find(made[0]!);
  expect(storage.looked.length).toBe(before + 1);
});

test('an id is genuine only under its own key, and only in one form', () => {
  const id = ids.create();
  expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{21}$/);
  expect([ids.isGenuine(id), foreignIds.isGenuine(id), ids.isGenuine(`${id}1`), ids.isGenuine('')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('guessing image widths soon stops reaching the storage; real widths are still served', async () => {
  // With a fixed clock: an address's allowance refills over time.
  const { storage, files } = await open(() => 1_000_000);
  const id = ids.create();
  const find = async (width: number) =>
    (await files.find({ id, width, format: 'avif' }, '192.0.2.1'))?.bytes.toString();
  for (const width of [640, 733]) await put(storage, keyOf({ id, width, format: 'avif' }), `of ${width}`);
  expect(await find(733)).toBe('of 733');
  for (let from = 1_000; from < 3_000; from += 50)
    await Promise.allSettled(Array.from({ length: 50 }, (_, n) => find(from + n)));
  expect(storage.looked.length).toBeLessThan(80);
  await expect(find(734)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect([await find(640), await find(733)]).toEqual(['of 640', 'of 733']);
});
