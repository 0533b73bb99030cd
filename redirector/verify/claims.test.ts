/** Claims of serialized items with a real Redis: which scan is answered as authentic, and what gets stored. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { phone, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';
import {
  mintItem,
  patientDisk,
  sampleBatch,
  type TestItem,
  untilAnswered,
  verify,
} from '../testing/serialized-items.ts';
import type { SerializedStandIn } from '../testing/serialized-stand-in.ts';

let app: TestRedirector;
let serialized: SerializedStandIn;

const scan = (item: TestItem, headers?: Record<string, string>) => untilAnswered(app.url, item, headers);
const mint = () => mintItem(serialized);
const eventsOf = ({ id }: TestItem) => serialized.events.filter(({ itemId }) => itemId === id);
const delivered = (item: TestItem, count: number) => expect.poll(() => eventsOf(item)).toHaveLength(count);

beforeAll(async () => {
  // A Redis of its own, so that its commands can be counted.
  const { url } = await startTestRedis();
  app = await startTestRedirector(
    { ...patientDisk, REDIS_URL: url, TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'x-country' },
    {
      verifying: (product) => ({
        ...product,
        // Otherwise the first scan waits as long as two writes of the slowest disk may take.
        claims: { ...product.claims, answerWithinMs: 5000 },
      }),
    },
  );
  serialized = app.controlPlane.serialized;
  await app.connected();
  // If the machine stalls, the attempt at the start may fail; a scan makes the next one.
  await scan(mint());
  expect(await app.redis.exists('serial:settled')).toBe(1);
});

const unavailable = { status: 503, body: { code: 'UNAVAILABLE' } };
const neutral = { status: 200, body: { verdict: null } };
const html = 'text/html,application/xhtml+xml,*/*;q=0.8';

test.each<[string, Record<string, string>, object]>([
  ['prefetches, as Chrome says it', { 'sec-purpose': 'prefetch' }, unavailable],
  ['prefetches, as Safari says it', { 'x-purpose': 'preview' }, unavailable],
  ['prefetches, as some say it', { 'x-purpose': 'Prefetch' }, unavailable],
  ['prefetches, as Firefox says it', { 'x-moz': 'prefetch' }, unavailable],
  ['previews', { purpose: 'preview' }, unavailable],
  ['embeds as an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }, neutral],
  ['embeds as a script', { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' }, neutral],
  ['embeds as a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }, neutral],
  ['fetches for a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, neutral],
  ['prefetches with a destination', { 'sec-fetch-dest': 'empty', 'sec-purpose': 'prefetch' }, unavailable],
])('a browser that %s claims nothing', async (_, headers, expected) => {
  const item = mint();
  expect(await verify(app.url, item, headers)).toMatchObject(expected);
  expect(await scan(item)).toMatchObject({ body: { verdict: 'authentic' } });
});

test('an item opened in a browser is claimed, and so is one asked for by a program', async () => {
  const opened = { accept: html, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
  const item = mint();
  const page = await fetch(app.url + item.path, { headers: { 'user-agent': phone, ...opened } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await scan(item)).toMatchObject({ body: { verdict: 'already_scanned' } });
  expect(await scan(mint(), { accept: 'application/json' })).toMatchObject({
    body: { verdict: 'authentic' },
  });
});

test('the first scan gets `authentic`, each later one the time and place of the first', async () => {
  const item = mint();
  const first = await scan(item, { 'x-country': 'DE' });
  expect(first).toMatchObject({
    status: 200,
    body: {
      verdict: 'authentic',
      itemId: item.id,
      productName: sampleBatch.productName,
      brandName: sampleBatch.brandName,
      notice: null,
      scanCount: 1,
      firstScanCountry: 'DE',
      sameDevice: false,
    },
  });
  const { firstScannedAt } = first.body;
  for (const scanCount of [2, 3]) {
    expect(await scan(item, { 'x-country': 'FR' })).toMatchObject({
      status: 200,
      body: { verdict: 'already_scanned', scanCount, firstScannedAt, firstScanCountry: 'DE' },
    });
  }
  await delivered(item, 3);
  expect(eventsOf(item).map(({ claimed, country, first }) => [claimed, country, first])).toEqual([
    [true, 'DE', { atMs: firstScannedAt, country: 'DE' }],
    [false, 'FR', { atMs: firstScannedAt, country: 'DE' }],
    [false, 'FR', { atMs: firstScannedAt, country: 'DE' }],
  ]);
});

test('of many simultaneous scans, one gets `authentic`', async () => {
  const item = mint();
  const answers = await Promise.all(Array.from({ length: 40 }, () => scan(item)));
  const verdicts = answers.map(({ body }) => body.verdict);
  expect(verdicts.filter((verdict) => verdict === 'authentic')).toHaveLength(1);
  expect(verdicts.filter((verdict) => verdict === 'already_scanned')).toHaveLength(39);
  await delivered(item, 40);
});

test('an item that PostgreSQL does not have is not known', async () => {
  const item = mint();
  serialized.items.delete(item.id);
  expect(await scan(item)).toEqual({
    status: 404,
    body: { verdict: 'not_known', error: 'There is no item with this code', code: 'NOT_FOUND' },
  });
});

test('an item that was claimed long ago is found claimed in PostgreSQL, and from then on in Redis', async () => {
  const item = mint();
  const first = { atMs: 1_700_000_000_000, country: 'IT' };
  serialized.items.set(item.id, { id: item.id, batchId: sampleBatch.id, scanCount: 7, first });
  expect(await scan(item)).toMatchObject({
    body: { verdict: 'already_scanned', scanCount: 8, firstScannedAt: first.atMs, firstScanCountry: 'IT' },
  });
  await expect.poll(() => app.redis.hmget(`serial:${item.id}`, 'state', 'count')).toEqual(['claimed', '8']);
});

test('a bot, HEAD and a prefetch claim nothing', async () => {
  const item = mint();
  await scan(item, { 'user-agent': 'WhatsApp/2.23.20.0' });
  await verify(app.url, item, { 'sec-purpose': 'prefetch' });
  await fetch(app.url + item.path, { method: 'HEAD' });
  expect(await scan(item)).toMatchObject({ body: { verdict: 'authentic' } });
});

test('the device that scanned first gets `sameDevice` for ten minutes', async () => {
  const item = mint();
  const device = { 'x-forwarded-for': '203.0.113.5' };
  await scan(item, device);
  expect(await scan(item, device)).toMatchObject({ body: { verdict: 'already_scanned', sameDevice: true } });
  expect(await scan(item)).toMatchObject({ body: { verdict: 'already_scanned', sameDevice: false } });
  await delivered(item, 3);
  expect(eventsOf(item).map(({ sameDevice }) => sameDevice)).toEqual([false, true, false]);
  expect(await app.redis.pttl(`serial:${item.id}:device`)).toBeLessThanOrEqual(600_000);
});

test('a device is forgotten ten minutes after its scan, even if Redis still has it', async () => {
  const device = { 'x-forwarded-for': '203.0.113.6' };
  const seen = mint();
  await scan(seen, device);
  const hash = (await app.redis.get(`serial:${seen.id}:device`))!;
  const claimedBefore = async (ageMs: number) => {
    const item = mint();
    const state = {
      state: 'claimed',
      at: Date.now() - ageMs,
      country: 'DE',
      batch: sampleBatch.id,
      count: 1,
    };
    await app.redis.hset(`serial:${item.id}`, state);
    await app.redis.set(`serial:${item.id}:device`, hash);
    return item;
  };
  const [lately, longAgo] = [await claimedBefore(60_000), await claimedBefore(601_000)];
  for (let count = 0; count < 2; count++) {
    expect(await scan(lately, device)).toMatchObject({ body: { sameDevice: true } });
    expect(await scan(longAgo, device)).toMatchObject({ body: { sameDevice: false } });
  }
});

test('the notice on a batch is in the answer, and changes neither verdict nor count', async () => {
  const item = mintItem(serialized, { ...sampleBatch, id: 'batch_recalled', notice: 'recalled' });
  expect(await scan(item)).toMatchObject({ body: { verdict: 'authentic', notice: 'recalled' } });
  expect(await scan(item)).toMatchObject({
    body: { verdict: 'already_scanned', notice: 'recalled', scanCount: 2 },
  });
});

test('the page of an item shows the picture and the links of its batch; the JSON for programs has neither', async () => {
  const links = {
    brandUrl: 'https://www.brand.example/',
    supportUrl: 'mailto:help@brand.example',
    registerUrl: 'https://www.brand.example/register',
  };
  const productImage = 'data:image/webp;base64,UklGRg==';
  const batch = { ...sampleBatch, id: 'batch_linked', ...links, productImage };
  const pageOf = async (item: TestItem) => {
    const response = await fetch(app.url + item.path, {
      headers: { 'user-agent': phone, accept: html, 'x-forwarded-for': '2001:db8:9::1' },
    });
    return response.text();
  };
  const item = mintItem(serialized, batch);
  const first = await pageOf(item);
  const later = await pageOf(item);
  for (const part of [...Object.values(links), productImage]) expect(first).toContain(`="${part}"`);
  expect(later).toContain(`href="${links.registerUrl}"`);
  const { body } = await scan(item);
  expect(new Set(Object.keys(body))).toEqual(
    new Set([
      ...['verdict', 'itemId', 'productSku', 'productName', 'gtin', 'mark', 'brandName', 'notice'],
      ...['scanCount', 'firstScannedAt', 'firstScanCountry', 'sameDevice'],
    ]),
  );
});

test('an item whose batch cannot be loaded has no verdict, and is not claimed', async () => {
  const item = mintItem(serialized, { ...sampleBatch, id: 'batch_gone' });
  serialized.batches.delete('batch_gone');
  expect((await verify(app.url, item)).status).toBe(503);
  await expect.poll(() => app.redis.exists(`serial:${item.id}`)).toBe(0);
  expect(eventsOf(item)).toEqual([]);
});

/** Commands that this Redis has run since it started. */
const commandsOf = async (): Promise<Map<string, number>> => {
  const text = await app.redis.info('commandstats');
  return new Map(
    [...text.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)].map(([, name, calls]) => [name!, Number(calls)]),
  );
};

describe('without any lookup', () => {
  test('forgeries are not genuine: no lookup, no command, nothing on disk', async () => {
    const asked = serialized.asked.length;
    const before = await app.redirector.metrics.getSingleMetricAsString(
      'waymark_redirector_verifications_spooled_total',
    );
    const item = mint();
    const forged = { path: item.path.slice(0, -1) + (item.path.endsWith('1') ? '2' : '1') };
    const commands = await commandsOf();
    for (let count = 0; count < 100; count++) expect((await verify(app.url, forged)).status).toBe(404);
    const after = await commandsOf();
    // These read reservations, records and documents.
    for (const name of ['hmget', 'mget']) expect(after.get(name)).toBe(commands.get(name));
    expect(serialized.asked).toHaveLength(asked);
    expect(
      await app.redirector.metrics.getSingleMetricAsString('waymark_redirector_verifications_spooled_total'),
    ).toBe(before);
  });

  test('a claimed item is answered from memory', async () => {
    const item = mint();
    await scan(item);
    await expect.poll(() => app.redis.hget(`serial:${item.id}`, 'state')).toBe('claimed');
    const asked = serialized.asked.length;
    const reads = (await commandsOf()).get('hmget');
    for (let scanCount = 2; scanCount < 12; scanCount++)
      expect(await scan(item)).toMatchObject({ body: { verdict: 'already_scanned', scanCount } });
    expect((await commandsOf()).get('hmget')).toBe(reads);
    expect(serialized.asked).toHaveLength(asked);
    await expect.poll(() => app.redis.hget(`serial:${item.id}`, 'count')).toBe('11');
  });
});
