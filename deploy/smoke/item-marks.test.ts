/** Marks on serialized items from the API to the phone: both real planes, and a Redis that loses everything. */
import { expect, test } from 'vitest';
import { batchesPath, batchOf, minted } from '../../control-plane/features/serialized/testing/mints.ts';
import { qrHost, secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';
import { patientDisk, untilAnswered, verify } from '../../redirector/testing/serialized-items.ts';
import { startTestRedis } from '../testing/redis.ts';

const redis = await startTestRedis();
const plane = await startTestControlPlane({ redisUrl: redis.url });
const environment = {
  ...patientDisk,
  QR_HOST: qrHost,
  TRUSTED_PROXIES: '127.0.0.1',
  REDIS_URL: redis.url,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
};
const waymark = await startTestRedirector(environment, {
  verifying: (product) => ({ ...product, claims: { ...product.claims, answerWithinMs: 5000 } }),
});
await waymark.connected();
const { call } = await plane.workspace();

/** A new batch: its path, and the ids and the paths of its items. */
const batchWith = async (count: number) => {
  const { batchId } = await minted(call, { count, productName: 'Lamp', brandName: 'Norrsken' });
  const { items } = await batchOf(call, batchId);
  return {
    at: `${batchesPath}/${batchId}`,
    items: items.map(({ itemId, url }) => ({ id: itemId, path: new URL(url).pathname })),
  };
};
const scan = async (item: { path: string }, url = waymark.url) => (await untilAnswered(url, item)).body;
const mark = (at: string, itemId: string, state: string) =>
  call('PUT', `${at}/items/${itemId}/mark`, { state });

test('an unclaimed item is not claimed while it is marked, and is authentic at its next scan after the mark is removed', async () => {
  const { at, items } = await batchWith(3);
  const [item, ...others] = items;
  await mark(at, item!.id, 'stolen');
  expect(await scan(item!)).toEqual({
    verdict: 'marked',
    itemId: item!.id,
    productSku: null,
    productName: 'Lamp',
    gtin: null,
    brandName: 'Norrsken',
    notice: null,
    mark: 'stolen',
  });
  expect(await scan(item!)).toMatchObject({ verdict: 'marked' });
  for (const other of others) expect(await scan(other)).toMatchObject({ verdict: 'authentic', mark: null });
  await call('DELETE', `${at}/items/${item!.id}/mark`);
  await expect.poll(() => scan(item!)).toMatchObject({ verdict: 'authentic', mark: null, scanCount: 1 });
  await expect
    .poll(async () => (await call('GET', `${at}/items/${item!.id}`)).body, { timeout: 20_000 })
    .toMatchObject({ state: 'claimed', scanCount: 1 });
});

test('a claimed item shows its mark within the usual time, and is counted on', async () => {
  const { at, items } = await batchWith(1);
  const [item] = items;
  expect(await scan(item!)).toMatchObject({ verdict: 'authentic' });
  for (const state of ['recalled', 'returned']) {
    await mark(at, item!.id, state);
    await expect.poll(() => scan(item!)).toMatchObject({ verdict: 'already_scanned', mark: state });
  }
  expect((await scan(item!)) as object).toMatchObject({ scanCount: expect.any(Number) });
});

test('people see the mark on the page, in their language', async () => {
  const { at, items } = await batchWith(1);
  const [item] = items;
  await mark(at, item!.id, 'returned');
  const page = await fetch(waymark.url + item!.path, {
    headers: {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Mobile/15E148 Safari/604.1',
      accept: 'text/html',
      'accept-language': 'de',
      'sec-fetch-dest': 'document',
    },
  });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<h1>Zurückgenommen</h1>');
});

test('marks outlive the loss of Redis, also for a redirector that has just started', async () => {
  const { at, items } = await batchWith(2);
  const [marked, claimed] = items;
  expect(await scan(claimed!)).toMatchObject({ verdict: 'authentic' });
  await mark(at, marked!.id, 'stolen');
  await mark(at, claimed!.id, 'recalled');
  await expect.poll(() => scan(claimed!)).toMatchObject({ mark: 'recalled' });
  await expect
    .poll(async () => (await call('GET', `${at}/items/${claimed!.id}`)).body, { timeout: 20_000 })
    .toMatchObject({ state: 'claimed' });
  await waymark.redis.flushall();
  const started = await startTestRedirector(environment);
  await started.connected();
  for (const { url } of [waymark, started]) {
    // Until everything is delivered again, there is no verdict; a wrong one would end this.
    await expect.poll(async () => (await verify(url, marked!)).status, { timeout: 60_000 }).toBe(200);
    expect((await verify(url, marked!)).body).toMatchObject({ verdict: 'marked', mark: 'stolen' });
    expect(await scan(claimed!, url)).toMatchObject({ verdict: 'already_scanned', mark: 'recalled' });
  }
}, 120_000);
