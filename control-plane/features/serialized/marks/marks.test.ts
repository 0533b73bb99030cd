/** Single items through the API: what is known of them, and the marks on them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mintCountMax } from '#schemas/api/serialized.ts';
import {
  markedAtOnceMax,
  markedItemList,
  markItemsAnswer,
  serializedItemDetails,
} from '#schemas/api/serialized-marks.ts';
import { batchDocuments, markDocumentId, markDocuments, parseDocument } from '#schemas/documents.ts';
import { itemMarks, markOn, markPageOf } from '#schemas/verification.ts';
import { randomBase58 } from '#shared/ids.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { batchesPath, batchOf, mint, minted } from '../testing/mints.ts';
import { addBatch } from '../verification/testing/items.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

/** A batch and the ids of its items. */
const batchWith = async (count: number, body: object = {}) => {
  const { batchId } = await minted(own.call, { count, ...body });
  const { items } = await batchOf(own.call, batchId);
  return { batchId, ids: items.map(({ itemId }) => itemId), at: `${batchesPath}/${batchId}` };
};
const itemOf = async (at: string, itemId: string) =>
  serializedItemDetails.parse((await own.call('GET', `${at}/items/${itemId}`)).body);
const markMany = async (at: string, itemIds: readonly string[], mark: object | null) =>
  markItemsAnswer.parse((await own.call('POST', `${at}/marks`, { itemIds, mark })).body);
const listOf = async (at: string, query = '') =>
  markedItemList.parse((await own.call('GET', `${at}/marks${query}`)).body);
const eventsOf = async (itemId: string) => {
  const page = await own.call('GET', '/api/qr/events?types=serialized.item_marked&limit=100');
  const { data } = page.body as { data: { data: { itemId: string } }[] };
  return data.map((event) => event.data).filter((about) => about.itemId === itemId);
};
/** The texts that redirectors get. */
const documentsOf = async (...ids: string[]) =>
  (await plane.internal('GET', `/internal/documents?ids=${ids.map(encodeURIComponent).join(',')}`))
    .body as string[];
const pageTextOf = async (batchId: string, itemId: string) =>
  (await documentsOf(markDocumentId(batchId, markPageOf(itemId))))[0]!;

describe('an item', () => {
  test('has its serial, its links, its scans, its state and its mark', async () => {
    const { ids, at, batchId } = await batchWith(2, { gtin: '9506000134352', productName: 'Lamp' });
    const [itemId = ''] = ids;
    const unscanned = await itemOf(at, itemId);
    expect(unscanned).toEqual({
      itemId,
      url: expect.stringContaining(`/v/${itemId}/`),
      productSku: null,
      productName: 'Lamp',
      scanCount: 0,
      firstScannedAt: null,
      firstScanCountry: null,
      batchId,
      position: 1,
      serial: expect.stringMatching(new RegExp(`^${itemId}\\w{8}$`)),
      digitalLink: expect.stringMatching(new RegExp(`/01/09506000134352/21/${unscanned.serial}$`)),
      state: 'unclaimed',
      lastScannedAt: null,
      lastScanCountry: null,
      mark: null,
    });
    await plane.pool.query(
      `UPDATE serialized_items SET scan_count = 3, first_scanned_at = to_timestamp(1800000000), first_scan_country = 'DE',
         last_scanned_at = to_timestamp(1800000060), last_scan_country = '' WHERE id = $1`,
      [itemId],
    );
    expect(await itemOf(at, itemId)).toMatchObject({
      state: 'claimed',
      scanCount: 3,
      firstScannedAt: 1_800_000_000_000,
      firstScanCountry: 'DE',
      lastScannedAt: 1_800_000_060_000,
      lastScanCountry: null,
    });
  });

  test('of another batch, or of no batch, is 404; one of another workspace is 403', async () => {
    const [{ ids, at }, other] = [await batchWith(1), await batchWith(1)];
    for (const itemId of [other.ids[0], randomBase58(12), 'x', '%00', 'é'.repeat(30)])
      expect((await own.call('GET', `${at}/items/${itemId}`)).status, itemId).toBe(404);
    const foreign = await plane.workspace();
    for (const [method, path, body] of [
      ['GET', `${at}/items/${ids[0]}`],
      ['PUT', `${at}/items/${ids[0]}/mark`, { state: 'stolen' }],
      ['DELETE', `${at}/items/${ids[0]}/mark`],
      ['GET', `${at}/marks`],
      ['POST', `${at}/marks`, { itemIds: ids, mark: null }],
    ] as const)
      expect((await foreign.call(method, path, body)).status, path).toBe(403);
  });
});

describe('a mark', () => {
  test('is set, changed and removed, with a note and a time; each change is one event, and one version of its page', async () => {
    const { ids, at, batchId } = await batchWith(2);
    const [itemId = ''] = ids;
    const path = `${at}/items/${itemId}/mark`;
    const marked = await own.call('PUT', path, {
      state: 'stolen',
      note: 'From the van',
      markedAt: 1_700_000_000_000,
    });
    const mark = { state: 'stolen', note: 'From the van', markedAt: 1_700_000_000_000 };
    expect(marked).toMatchObject({ status: 200, body: { itemId, mark } });
    expect(await itemOf(at, itemId)).toMatchObject({ mark });
    const before = await pageTextOf(batchId, itemId);
    // The same again: nothing changes.
    await own.call('PUT', path, { state: 'stolen', note: 'From the van' });
    expect(await pageTextOf(batchId, itemId)).toBe(before);
    await own.call('PUT', path, { state: 'returned' });
    const after = (await itemOf(at, itemId)).mark!;
    expect(after).toEqual({ state: 'returned', note: null, markedAt: expect.any(Number) });
    expect(Math.abs(after.markedAt - Date.now())).toBeLessThan(3_600_000);
    for (let times = 0; times < 2; times++) expect((await own.call('DELETE', path)).status).toBe(204);
    expect(await itemOf(at, itemId)).toMatchObject({ mark: null });
    const about = { itemId, batchId, productSku: null, productName: null };
    await expect
      .poll(() => eventsOf(itemId))
      .toEqual([
        { ...about, mark: 'stolen', previousMark: null, note: 'From the van', markedAt: 1_700_000_000_000 },
        { ...about, mark: 'returned', previousMark: 'stolen', note: null, markedAt: after.markedAt },
        { ...about, mark: null, previousMark: 'returned', note: null, markedAt: null },
      ]);
    const { rows } = await plane.pool.query(
      'SELECT operation FROM audit_log WHERE workspace_id = $1 AND resource_id = $2 ORDER BY at',
      [own.workspaceId, itemId],
    );
    expect(rows.map(({ operation }) => operation)).toEqual([
      'markSerializedItem',
      'markSerializedItem',
      'unmarkSerializedItem',
    ]);
  });

  test('is refused in the future, with another state, and while the batch is minted, naming the field', async () => {
    const { ids, at } = await batchWith(1);
    const refused = async (body: object, path = `${at}/items/${ids[0]}/mark`, method = 'PUT') =>
      (await own.call(method, path, body)).body as { param: string | null; code: string };
    expect(await refused({ state: 'stolen', markedAt: '2099-01-01T00:00:00Z' })).toMatchObject({
      param: 'markedAt',
    });
    expect(await refused({ state: 'lost' })).toMatchObject({ param: 'state' });
    expect(await refused({ state: 'stolen', note: 'x'.repeat(1_001) })).toMatchObject({ param: 'note' });
    const many = { itemIds: Array(markedAtOnceMax + 1).fill(ids[0]), mark: null };
    expect(await refused(many, `${at}/marks`, 'POST')).toMatchObject({ param: 'itemIds' });
    const minting = await mint(own.call, { count: 3 });
    await plane.pool.query(`UPDATE serialized_batches SET status = 'minting' WHERE id = $1`, [
      minting.batchId,
    ]);
    expect(
      await refused({ itemIds: ['x'], mark: null }, `${batchesPath}/${minting.batchId}/marks`, 'POST'),
    ).toMatchObject({ code: 'CONFLICT' });
  });

  test('needs no plan, so that a recall goes on after a downgrade; a key that only reads may not set one', async () => {
    const free = await plane.workspace({ plan: 'free' });
    const batch = await addBatch(plane.pool, free, 1);
    const path = `${batchesPath}/${batch.id}/items/${batch.items[0]}`;
    expect((await free.call('PUT', `${path}/mark`, { state: 'recalled' })).status).toBe(200);
    const { apiKey } = (
      await free.call('POST', '/api/qr/keys', {
        name: 'reader',
        role: 'member',
        permissions: ['serialized:read'],
      })
    ).body as { apiKey: string };
    const reader = plane.callWith(apiKey);
    expect((await reader('GET', path)).body).toMatchObject({ mark: { state: 'recalled' } });
    expect((await reader('DELETE', `${path}/mark`)).status).toBe(403);
    expect(
      (await reader('POST', `${batchesPath}/${batch.id}/marks`, { itemIds: ['x'], mark: null })).status,
    ).toBe(403);
  });

  test('of a test key is on items of its own data only', async () => {
    const { ids, at } = await batchWith(1);
    const { apiKey } = (await own.call('POST', '/api/qr/keys', { name: 'test', role: 'admin', mode: 'test' }))
      .body as { apiKey: string };
    const call = plane.callWith(apiKey);
    expect((await call('PUT', `${at}/items/${ids[0]}/mark`, { state: 'stolen' })).status).toBe(403);
    const { batchId } = await minted(call, { count: 1 });
    const [item] = (await batchOf(call, batchId)).items;
    const path = `${batchesPath}/${batchId}/items/${item!.itemId}/mark`;
    expect((await call('PUT', path, { state: 'stolen' })).status).toBe(200);
    expect((await own.call('GET', `${batchesPath}/${batchId}/marks`)).status).toBe(403);
  });
});

describe('marks in one call', () => {
  test('cost each id only itself: items are marked, and the result of every other id says why not', async () => {
    const [{ ids, at }, other] = [await batchWith(4), await batchWith(1)];
    const [first = '', second = '', third = ''] = ids;
    await markMany(at, [first], { state: 'recalled' });
    const asked = [first, second, 'no id', other.ids[0]!, third, second];
    const answer = await markMany(at, asked, { state: 'recalled' });
    expect(answer).toMatchObject({ changed: 3, unchanged: 1, failed: 2 });
    expect(answer.results.map(({ itemId, status }) => [itemId, status])).toEqual([
      [first, 'unchanged'],
      [second, 'changed'],
      ['no id', 'failed'],
      [other.ids[0], 'failed'],
      [third, 'changed'],
      [second, 'changed'],
    ]);
    expect(answer.results[2]).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/^itemIds\[2\]: /),
    });
    expect((await markMany(at, ids, null)).results.map(({ status }) => status)).toEqual([
      'changed',
      'changed',
      'changed',
      'unchanged',
    ]);
    expect((await listOf(at)).data).toEqual([]);
  });

  test('of several callers at once are all stored, and published as they are at the end', async () => {
    const { ids, at, batchId } = await batchWith(300);
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        markMany(at, n % 2 ? ids : ids.toReversed(), { state: itemMarks[n % 3]!, note: `${n}` }),
      ),
    );
    const [one] = (await listOf(at, '?limit=1')).data;
    const { state } = one!.mark!;
    const texts = await documentsOf(...new Set(ids.map((id) => markDocumentId(batchId, markPageOf(id)))));
    const pages = new Map(
      texts.map((text) => parseDocument(markDocuments, text)).map((page) => [page.id, page]),
    );
    for (const id of ids) expect(markOn(pages.get(markDocumentId(batchId, markPageOf(id)))!, id)).toBe(state);
  }, 120_000);
});

describe('the list of marked items', () => {
  test('is in the order of the mint, in pages, by mark; a cursor belongs to its list', async () => {
    const { ids, at } = await batchWith(7);
    await markMany(at, ids.toReversed().slice(0, 5), { state: 'stolen' });
    await markMany(at, ids.slice(3, 4), { state: 'returned' });
    const all = ids.slice(2);
    const first = await listOf(at, '?limit=3');
    expect(first.data.map(({ itemId }) => itemId)).toEqual(all.slice(0, 3));
    const last = await listOf(at, `?limit=3&cursor=${first.pagination.nextCursor}`);
    expect(last.pagination).toEqual({ limit: 3, cursor: first.pagination.nextCursor, nextCursor: null });
    expect(last.data.map(({ itemId }) => itemId)).toEqual(all.slice(3));
    const stolen = await listOf(at, '?limit=2&state=stolen');
    expect(stolen.data.map(({ itemId }) => itemId)).toEqual([ids[2], ids[4]]);
    for (const wrong of [
      `state=stolen&cursor=${first.pagination.nextCursor}`,
      'state=lost',
      'limit=501',
      'mark=stolen',
    ])
      expect((await own.call('GET', `${at}/marks?${wrong}`)).status, wrong).toBe(400);
  });
});

describe('what redirectors get', () => {
  test('a batch names the pages that have had marks; a page stays when its last mark is removed', async () => {
    const { ids, at, batchId } = await batchWith(1);
    const [itemId = ''] = ids;
    const batchDocument = async () => parseDocument(batchDocuments, (await documentsOf(batchId))[0]!);
    const before = await batchDocument();
    expect(before).not.toHaveProperty('markPages');
    await markMany(at, ids, { state: 'stolen' });
    const marked = await batchDocument();
    expect(marked).toMatchObject({ markPages: markPageOf(itemId) });
    expect(marked.version).toBe(before.version + 1);
    await markMany(at, ids, null);
    expect(await batchDocument()).toEqual(marked);
    const page = parseDocument(markDocuments, await pageTextOf(batchId, itemId));
    expect(markOn(page, itemId)).toBeNull();
  });

  test('the largest page of a batch whose items are all marked has less than 13 kB, and its batch 58 characters more', async () => {
    const batch = await addBatch(plane.pool, own, mintCountMax);
    const unmarked = (await documentsOf(batch.id))[0]!.length;
    await plane.pool.query(
      `INSERT INTO serialized_mark_pages (id, batch_id)
       SELECT DISTINCT 'marks:' || batch_id || '/' || right(id, 1), batch_id FROM serialized_items WHERE batch_id = $1`,
      [batch.id],
    );
    await plane.pool.query(
      `INSERT INTO serialized_marks (item_id, page_id, batch_id, position, state, marked_at)
       SELECT id, 'marks:' || batch_id || '/' || right(id, 1), batch_id, position, 'recalled', now()
       FROM serialized_items WHERE batch_id = $1`,
      [batch.id],
    );
    const pages = new Set(batch.items.map((id) => markDocumentId(batch.id, markPageOf(id))));
    expect(pages.size).toBe(58);
    const texts = await documentsOf(...pages);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(13_000);
    expect((await documentsOf(batch.id))[0]!.length - unmarked).toBeLessThan(58 + 20);
  }, 120_000);
});
