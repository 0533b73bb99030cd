/** Marks on items, as a redirector learns of them: from Redis, the change stream and the control plane. */
import { beforeAll, expect, test } from 'vitest';
import { recordStream } from '#schemas/code-record.ts';
import { documentField, documentKey, markDocumentId, serializeDocument } from '#schemas/documents.ts';
import { type ItemMark, type MarkPage, markPageOf } from '#schemas/verification.ts';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { startTestRedirector, type TestRedirector } from '../testing/redirector.ts';
import {
  mintItem,
  patientDisk,
  sampleBatch,
  type TestItem,
  untilAnswered,
  verify,
} from '../testing/serialized-items.ts';

let app: TestRedirector;

const scan = async (item: TestItem) => (await untilAnswered(app.url, item)).body;

beforeAll(async () => {
  const { url } = await startTestRedis();
  app = await startTestRedirector(
    { ...patientDisk, REDIS_URL: url, TRUSTED_PROXIES: '127.0.0.1' },
    {
      verifying: (product) => ({ ...product, claims: { ...product.claims, answerWithinMs: 5000 } }),
    },
  );
  await app.connected();
  await scan(mintItem(app.controlPlane.serialized));
});

let batches = 0;

/** An item of a batch of its own, whose page of marks exists. */
const mintMarkable = (): TestItem & { batchId: string; pageId: string } => {
  const batch = { ...sampleBatch, id: `batch_${++batches}` };
  const item = mintItem(app.controlPlane.serialized, batch);
  const page = markPageOf(item.id);
  app.controlPlane.serialized.batches.set(batch.id, { ...batch, markPages: page });
  return { ...item, batchId: batch.id, pageId: markDocumentId(batch.id, page) };
};

const pageWith = (item: ReturnType<typeof mintMarkable>, version: number, mark?: ItemMark): MarkPage => ({
  id: item.pageId,
  version,
  ...(mark && { [mark]: item.id }),
});

/** As the control plane publishes it: the change stream has the version alone. */
const publish = async (page: MarkPage): Promise<void> => {
  app.controlPlane.documents.set(page.id, page);
  await app.redis.set(documentKey(page.id), serializeDocument(page));
  await app.redis.xadd(recordStream, '*', documentField, String(page.version), 'id', page.id);
};

test('an unclaimed item that is marked gets the verdict `marked`, is not reported, and stays unclaimed', async () => {
  const item = mintMarkable();
  await publish(pageWith(item, 1, 'stolen'));
  for (let times = 0; times < 2; times++)
    expect(await scan(item)).toMatchObject({ verdict: 'marked', mark: 'stolen', itemId: item.id });
  expect(await app.redis.hget(`serial:${item.id}`, 'state')).not.toBe('claimed');
  await publish(pageWith(item, 2));
  await expect.poll(() => scan(item)).toMatchObject({ verdict: 'authentic', mark: null });
  const ofItem = () => app.controlPlane.serialized.events.filter(({ itemId }) => itemId === item.id);
  await expect.poll(ofItem).toEqual([expect.objectContaining({ claimed: true })]);
});

test('a claimed item in memory shows a mark once its version is announced, and no longer when it is removed', async () => {
  const item = mintMarkable();
  await publish(pageWith(item, 1));
  expect(await scan(item)).toMatchObject({ verdict: 'authentic', mark: null });
  expect(await scan(item)).toMatchObject({ verdict: 'already_scanned', mark: null });
  await publish(pageWith(item, 2, 'recalled'));
  await expect.poll(() => scan(item)).toMatchObject({ verdict: 'already_scanned', mark: 'recalled' });
  await publish(pageWith(item, 3));
  await expect.poll(() => scan(item)).toMatchObject({ verdict: 'already_scanned', mark: null });
});

test('an item has no verdict while its page can be loaded from nowhere, whether it is claimed or not', async () => {
  const [unclaimed, claimed] = [mintMarkable(), mintMarkable()];
  await publish(pageWith(claimed, 1));
  expect(await scan(claimed)).toMatchObject({ verdict: 'authentic' });
  // Its next version is announced, and cannot be read.
  await app.redis.del(documentKey(claimed.pageId));
  await app.redis.xadd(recordStream, '*', documentField, '2', 'id', claimed.pageId);
  app.controlPlane.documentsAway = true;
  await expect.poll(async () => (await verify(app.url, claimed)).status).toBe(503);
  expect(await verify(app.url, unclaimed)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  app.controlPlane.documentsAway = false;
  app.controlPlane.documents.set(claimed.pageId, pageWith(claimed, 2, 'stolen'));
  app.controlPlane.documents.set(unclaimed.pageId, pageWith(unclaimed, 1, 'stolen'));
  expect(await scan(claimed)).toMatchObject({ verdict: 'already_scanned', mark: 'stolen' });
  expect(await scan(unclaimed)).toMatchObject({ verdict: 'marked', mark: 'stolen' });
});

test('an item of a batch without pages of marks causes no lookup of one', async () => {
  const item = mintItem(app.controlPlane.serialized, { ...sampleBatch, id: 'batch_plain' });
  app.controlPlane.documentsAway = true;
  expect(await scan(item)).toMatchObject({ verdict: 'authentic', mark: null });
  app.controlPlane.documentsAway = false;
});
