/** Images that no page shows: given up, checked again, removed, step by step. */
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { temporaryFolder } from '../../../../../deploy/testing/local.ts';
import { createFileStorage } from '../../../../platform/storage/file/file-storage.ts';
import { type Storage, StorageFailure } from '../../../../platform/storage/storage.ts';
import { keysOf, put } from '../../../../platform/storage/testing/contents.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../../testing/control-plane.ts';
import { createPage, pageOf, pathOf, uploaded } from '../testing/landing-page.ts';
import { plain } from '../testing/pictures.ts';
import { sweepImages } from './nightly.ts';

let plane: TestControlPlane;
let own: Workspace;
let pageId: string;
let storage: Storage;
let pictures = 0;

beforeAll(async () => {
  const folder = await temporaryFolder();
  plane = await startTestControlPlane({ environment: { STORAGE_URL: `file://${folder}` } });
  storage = createFileStorage(folder);
  own = await plane.workspace();
  pageId = await createPage(own.call);
});

const sweep = (over: Partial<Storage> = {}, nowMs = Date.now) =>
  sweepImages({
    pool: plane.pool,
    storage: { ...storage, ...over },
    logger: createLogger('test', 'silent'),
    nowMs,
  });

/** A new picture with bytes unlike any earlier one. @returns its id */
const uploadNew = async (page = pageId): Promise<string> => {
  pictures++;
  const url = await uploaded(
    own.call,
    page,
    await plain(20 + pictures, 20)
      .png()
      .toBuffer(),
  );
  return pathOf(url).split('/')[2]!;
};

/** Moves the image's times this many days back. */
const age = (id: string, days: number) =>
  plane.pool.query(
    `UPDATE uploaded_images SET referenced_at = referenced_at - make_interval(days => $2),
       claimed_at = claimed_at - make_interval(days => $2), unused_at = unused_at - make_interval(days => $2) WHERE id = $1`,
    [id, days],
  );

const stateOf = async (id: string): Promise<string | undefined> =>
  (await plane.pool.query('SELECT state FROM uploaded_images WHERE id = $1', [id])).rows[0]?.state;

const filesOf = async (id: string): Promise<number> => (await keysOf(storage, `images/${id}/`)).length;

test('an image that no page has shown for 7 days becomes unused, and is removed on a later night', async () => {
  const id = await uploadNew();
  await uploadNew();
  await age(id, 6);
  await sweep();
  expect(await stateOf(id)).toBe('stored');
  await age(id, 2);
  await sweep();
  expect([await stateOf(id), await filesOf(id)]).toEqual(['unused', 3]);
  // The two checks are an hour apart.
  await sweep();
  expect(await stateOf(id)).toBe('unused');
  await age(id, 1);
  await sweep();
  expect([await stateOf(id), await filesOf(id)]).toEqual([undefined, 0]);
});

test('an image that a landing page, a menu or a form shows is kept, however old it is', async () => {
  const [onMenu, onLandingPage] = [await uploadNew(), await uploadNew()];
  const menu = await own.call('POST', '/api/qr/menus', {
    name: 'Evening',
    sections: [
      { name: 'Soups', items: [{ name: 'Soup', imageUrl: `https://qr.example.com/i/${onMenu}/640.jpg` }] },
    ],
  });
  expect(menu.status).toBe(201);
  for (const id of [onMenu, onLandingPage]) await age(id, 400);
  await sweep();
  await sweep();
  expect([await stateOf(onMenu), await stateOf(onLandingPage)]).toEqual(['stored', 'stored']);
  await own.call('DELETE', `/api/qr/menus/${(menu.body as { menuId: string }).menuId}`);
  await age(onMenu, 8);
  await sweep();
  expect(await stateOf(onMenu)).toBe('unused');
});

test('an unused image stays if a page refers to it again', async () => {
  const id = await uploadNew();
  const { heroImageUrl } = await pageOf(own.call, pageId);
  await uploadNew();
  await age(id, 8);
  await sweep();
  expect(await stateOf(id)).toBe('unused');
  await own.call('PATCH', `/api/qr/landing-pages/${pageId}`, { avatarUrl: heroImageUrl });
  await age(id, 1);
  await sweep();
  expect([await stateOf(id), await filesOf(id)]).toEqual(['stored', 3]);
});

test('an unused image is used again, with its URL, if its file is uploaded again', async () => {
  const bytes = await plain(77, 78).png().toBuffer();
  const url = await uploaded(own.call, pageId, bytes);
  const id = pathOf(url).split('/')[2]!;
  await uploadNew();
  await age(id, 8);
  await sweep();
  expect(await stateOf(id)).toBe('unused');
  expect(await uploaded(own.call, pageId, bytes)).toBe(url);
  expect(await stateOf(id)).toBe('stored');
});

test('a removal interrupted after any file is resumed the next night; an upload meanwhile is another image', async () => {
  const bytes = await plain(79, 80).png().toBuffer();
  const id = pathOf(await uploaded(own.call, pageId, bytes)).split('/')[2]!;
  await uploadNew();
  await age(id, 8);
  await sweep();
  await age(id, 1);
  for (const left of [3, 2, 1]) {
    let removals = 0;
    await sweep({
      remove: async (key) => {
        removals++;
        if (removals === 2 || left === 3) throw new StorageFailure('away', 'it was unplugged');
        await storage.remove(key);
      },
    });
    expect([await stateOf(id), await filesOf(id)]).toEqual(['removing', left]);
  }
  const anew = pathOf(await uploaded(own.call, pageId, bytes)).split('/')[2]!;
  expect(anew).not.toBe(id);
  await sweep();
  expect([await stateOf(id), await filesOf(id)]).toEqual([undefined, 0]);
  expect([await stateOf(anew), await filesOf(anew)]).toEqual(['stored', 3]);
});

test('a half-stored upload is removed after an hour, and not before', async () => {
  const id = await uploadNew();
  await uploadNew();
  await plane.pool.query(`UPDATE uploaded_images SET state = 'storing' WHERE id = $1`, [id]);
  await sweep();
  expect([await stateOf(id), await filesOf(id)]).toEqual(['storing', 3]);
  await age(id, 1);
  await sweep();
  expect([await stateOf(id), await filesOf(id)]).toEqual([undefined, 0]);
});

test('files without an image are removed once they are old', async () => {
  const key = 'images/111111111111111111111/640.avif';
  await put(storage, key, 'left over');
  const kept = await uploadNew();
  await sweep();
  expect(await keysOf(storage, 'images/111111111111111111111/')).toEqual([key]);
  await sweep({}, () => Date.now() + 2 * 86_400_000);
  expect(await keysOf(storage, 'images/111111111111111111111/')).toEqual([]);
  expect(await filesOf(kept)).toBe(3);
});
