/** The room of pictures: they are counted before they are stored, and kept small. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ImageFormat } from '#schemas/api/images.ts';
import { temporaryFolder } from '../../../../deploy/testing/local.ts';
import { createFileStorage } from '../../../platform/storage/file/file-storage.ts';
import { contentsOf, keysOf } from '../../../platform/storage/testing/contents.ts';
import { unzip } from '../testing/generate-calls.ts';
import { partsPrefix } from './keys.ts';
import { createPictures } from './pictures.ts';
import { createRoom, keptBytesMax, picturesBytesMax, type Used } from './room.ts';
import type { FinishedRow } from './store.ts';
import { zipOf } from './zip.ts';

const operation = {
  id: 'blk_1',
  workspaceId: 'ws_1',
  subscriptionId: 'sub_1',
  kind: 'generate',
  total: 6,
  options: {},
  createdAt: new Date(),
} as const;

const used: Used = {
  pictureBytes: 0,
  kept: { bytes: 0, freeAt: undefined },
  keptBytesMax: keptBytesMax.free,
};

/** Stores six pictures as one slice. */
const stored = async (picture: Buffer, format: ImageFormat, room: Partial<Used>) => {
  const storage = createFileStorage(await temporaryFolder());
  const store = createPictures({
    storage,
    openSlice: async () => async () => ({ bytes: picture, format, warnings: [] }),
  });
  const rows = Array.from({ length: 6 }, (_, position) => ({ position, uid: `row ${position}`, body: {} }));
  const outcomes = await store(operation, rows, createRoom({ ...used, ...room }));
  const [part] = await keysOf(storage, partsPrefix(operation.id));
  return { storage, rows, outcomes, bytes: (await contentsOf(storage, part!))!.length };
};

const messagesOf = (outcomes: Awaited<ReturnType<typeof stored>>['outcomes']) =>
  outcomes.map((outcome) => ('error' in outcome ? outcome.error.message : 'stored'));

const kilobyte = 1024;

test('the pictures of a call stay within the limit to the byte, wherever in a slice it is reached', async () => {
  const { outcomes, bytes } = await stored(randomBytes(300 * kilobyte), 'png', {
    pictureBytes: picturesBytesMax - 900 * kilobyte,
  });
  const full = expect.stringContaining('The pictures of a call have at most 512 MB together');
  expect(messagesOf(outcomes)).toEqual(['stored', 'stored', 'stored', full, full, full]);
  expect(bytes).toBe(900 * kilobyte);
});

test('a workspace keeps only as much as its plan allows', async () => {
  const { outcomes, bytes } = await stored(randomBytes(300 * kilobyte), 'png', {
    kept: { bytes: keptBytesMax.free - 700 * kilobyte, freeAt: new Date('2026-05-05T12:00:00Z') },
  });
  const full =
    'The plan allows 1024 MB of zips to be kept at a time, and 1024 MB are kept: ' +
    'the first of them is removed in the night after 2026-05-05T12:00:00.000Z';
  expect(messagesOf(outcomes)).toEqual(['stored', 'stored', full, full, full, full]);
  expect(bytes).toBe(600 * kilobyte);
});

test('an SVG is kept compressed, and comes out of the zip as it was drawn', async () => {
  const picture = Buffer.from(`<svg>${'<path d="M1 2h3v4z"/>'.repeat(20_000)}</svg>`);
  const { storage, rows, outcomes, bytes } = await stored(picture, 'svg', {});
  expect(bytes).toBeLessThan(picture.length);
  const finished = outcomes.map((outcome, at): FinishedRow => {
    if ('error' in outcome) throw outcome.error;
    return { uid: rows[at]!.uid, result: { status: 'created', ...outcome.value } };
  });
  const contents = { rows: finished, time: new Date() };
  await storage.put('zip', zipOf(storage, contents, new AbortController().signal));
  const { files } = await unzip((await contentsOf(storage, 'zip'))!);
  expect([...files.values()].map((file) => file.equals(picture))).toEqual(rows.map(() => true));
});
