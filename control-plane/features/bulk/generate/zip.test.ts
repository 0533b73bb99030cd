/** How the zip is made of parts: its memory, its bytes, and interruptions. */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../deploy/testing/local.ts';
import { createFileStorage } from '../../../platform/storage/file/file-storage.ts';
import { type Storage, StorageFailure, type StoredFile } from '../../../platform/storage/storage.ts';
import { chunksOf, contentsOf } from '../../../platform/storage/testing/contents.ts';
import { unzip } from '../testing/generate-calls.ts';
import type { FinishedRow } from './store.ts';
import { zipOf } from './zip.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const time = new Date('2026-05-04T12:00:00Z');
const never = new AbortController().signal;

/** Stores parts of so many pictures each, as slices leave them. @returns also the rows they belong to */
const storeParts = async (storage: Storage, parts: number, pictures: number, bytes: number) => {
  const rows: FinishedRow[] = [];
  const contents: Buffer[] = [];
  for (let at = 0; at < parts; at++) {
    const part = `bulk/blk_1/parts/${at}`;
    const whole = randomBytes(pictures * bytes);
    await storage.put(part, chunksOf(whole, 2 ** 20));
    for (let offset = 0; offset < whole.length; offset += bytes) {
      contents.push(whole.subarray(offset, offset + bytes));
      rows.push({
        uid: `row ${rows.length}`,
        result: { status: 'created', format: 'png', part, offset, bytes },
      });
    }
  }
  return { rows, contents };
};

const open = async () => createFileStorage(await temporaryFolder());

test('the same rows give the same bytes, whatever the order of their parts', async () => {
  const storage = await open();
  const { rows, contents } = await storeParts(storage, 3, 4, 1_000);
  // A retried slice is done after later ones.
  const shuffled = [...rows.slice(8), ...rows.slice(0, 4), ...rows.slice(4, 8)].map((row, n) => ({
    ...row,
    uid: `${n}`,
  }));
  const failed: FinishedRow = {
    uid: 'bad',
    result: { status: 'failed', message: 'data must', code: 'UNPROCESSABLE' },
  };
  const make = async (key: string) => {
    await storage.put(key, zipOf(storage, { rows: [...shuffled, failed], time }, never));
    return (await contentsOf(storage, key))!;
  };
  const first = await make('bulk/blk_1/first.zip');
  expect((await make('bulk/blk_1/second.zip')).equals(first)).toBe(true);
  const { files, manifest } = await unzip(first);
  const expected = [...contents.slice(8), ...contents.slice(0, 4), ...contents.slice(4, 8)];
  expect(expected.map((content, n) => files.get(`${n}.png`)?.equals(content))).toEqual(
    expected.map(() => true),
  );
  expect(manifest.at(-1)).toEqual({
    uid: 'bad',
    status: 'failed',
    message: 'data must',
    code: 'UNPROCESSABLE',
  });
});

test('the zip is never held in memory', async () => {
  const storage = await open();
  const { rows: once } = await storeParts(storage, 1, 8, 2 ** 20);
  const part = 'bulk/blk_1/parts/0';
  // Many parts, each with the bytes of this one.
  const many: Storage = { ...storage, get: () => storage.get(part) };
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const rows = Array.from({ length: 8 }, (_, n) =>
    once.map(({ uid, result }) => ({ uid, result: { ...result, part: `${part}${n}` } }) as FinishedRow),
  ).flat();
  let [bytes, most, looks] = [0, 0, 0];
  for await (const chunk of zipOf(many, { rows, time }, never)) {
    bytes += chunk.length;
    if (bytes < looks * 16 * 2 ** 20) continue;
    looks++;
    // Garbage does not count.
    collectGarbage();
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  expect(bytes).toBeGreaterThan(64 * 2 ** 20);
  expect(most - before).toBeLessThan(32 * 2 ** 20);
});

test('if it is interrupted, or a part is missing, there is no zip; a second attempt makes a complete one', async () => {
  const storage = await open();
  const { rows } = await storeParts(storage, 4, 8, 2 ** 20);
  const key = 'bulk/blk_1/pictures.zip';
  const streams: Readable[] = [];
  const watched: Storage = {
    ...storage,
    async get(key) {
      const file = await storage.get(key);
      if (!file) return undefined;
      const read: StoredFile['read'] = async (range) => {
        const stream = await file.read(range);
        streams.push(stream);
        return stream;
      };
      return { ...file, read };
    },
  };

  const stopping = new AbortController();
  async function* stopped() {
    let bytes = 0;
    for await (const chunk of zipOf(watched, { rows, time }, stopping.signal)) {
      bytes += chunk.length;
      if (bytes > 10 * 2 ** 20) stopping.abort(new Error('time is over'));
      yield chunk;
    }
  }
  await expect(storage.put(key, stopped())).rejects.toThrow('the zip took too long');
  await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  const missing = rows.with(20, {
    uid: 'x',
    result: { status: 'created', format: 'png', part: 'bulk/none', offset: 0, bytes: 5 },
  });
  await expect(storage.put(key, zipOf(storage, { rows: missing, time }, never))).rejects.toThrow(
    'the storage has no bulk/none; do all control planes have the same STORAGE_URL?',
  );
  const long = rows.with(31, {
    uid: 'x',
    result: {
      status: 'created',
      format: 'png',
      part: 'bulk/blk_1/parts/3',
      offset: 7 * 2 ** 20,
      bytes: 2 ** 21,
    },
  });
  await expect(storage.put(key, zipOf(storage, { rows: long, time }, never))).rejects.toThrow(
    'has fewer bytes than',
  );
  expect(await storage.get(key)).toBeUndefined();

  await storage.put(key, zipOf(storage, { rows, time }, never));
  expect((await unzip((await contentsOf(storage, key))!)).files.size).toBe(32);
});

test('a zip that is not read, or read late, raises no uncaught error', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('uncaughtException', hear);
  onTestFinished(() => void process.off('uncaughtException', hear));
  const storage = await open();
  const rows: FinishedRow[] = [
    { uid: 'x', result: { status: 'created', format: 'png', part: 'bulk/none', offset: 0, bytes: 5 } },
  ];
  const stopping = new AbortController();
  const refusing: Storage['put'] = async () => {
    throw new StorageFailure('refused', 'the disk is read-only');
  };
  await expect(refusing('a', zipOf(storage, { rows, time }, stopping.signal))).rejects.toThrow('read-only');
  stopping.abort(new Error('time is over'));
  const late = zipOf(storage, { rows, time }, never);
  // As long as the look-up of a part takes.
  await storage.get('bulk/none');
  await new Promise(setImmediate);
  await expect(storage.put('a', late)).rejects.toThrow('the storage has no bulk/none');
  await new Promise(setImmediate);
  expect(unheard).toEqual([]);
});
