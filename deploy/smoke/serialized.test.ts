/** Serialized codes from the API to the phone, with several redirector processes over real PostgreSQL and Redis. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Installation, startInstallation } from './installation.ts';

let waymark: Installation;

beforeAll(async () => {
  waymark = await startInstallation({
    REDIRECTOR_WORKERS: '2',
    TRUSTED_PROXIES: '127.0.0.1',
    COUNTRY_HEADER: 'CF-IPCountry',
  });
}, 90_000);

afterAll(async () => {
  await waymark?.stop();
}, 60_000);

const patience = { timeout: 60_000, interval: 200 };

const minted = z.object({ batchId: z.string() });
const batchWithItems = z.object({
  status: z.string(),
  scanned: z.number(),
  items: z.array(z.object({ itemId: z.string(), url: z.string(), scanCount: z.number() })),
});

const batchOf = async (batchId: string) =>
  batchWithItems.parse(await (await waymark.api('GET', `/api/qr/serialized-batches/${batchId}`)).json());

/** Mints a batch, and waits for it. */
const mint = async (count: number) => {
  const answer = await waymark.api('POST', '/api/qr/serialized-batches', {
    batchName: 'Spring',
    count,
    productName: 'A watch',
    brandName: 'A brand',
  });
  expect(answer.status, await answer.clone().text()).toBe(202);
  const { batchId } = minted.parse(await answer.json());
  await vi.waitFor(async () => expect((await batchOf(batchId)).status).toBe('completed'), patience);
  return { batchId, ...(await batchOf(batchId)) };
};

const verdictOf = z.object({ verdict: z.string().nullish() });
let phones = 0;

/** A phone of its own on a connection of its own, so that every process is asked. */
const fromPhone = () => ({
  connection: 'close',
  'x-forwarded-for': `2001:db8:2:${(phones++).toString(16)}::1`,
});

const scan = async (url: string): Promise<string> => {
  for (;;) {
    const response = await waymark.scan(url, { headers: fromPhone() });
    const { verdict } = verdictOf.parse(await response.json());
    if (response.status !== 503) return verdict ?? '';
  }
};

test('each unit is authentic once, however many phones scan it at once, and PostgreSQL counts every answer', async () => {
  const { batchId, items } = await mint(20);
  const scanner = async (): Promise<string[]> => {
    const verdicts: string[] = [];
    for (const { url } of items) verdicts.push(await scan(url));
    return verdicts;
  };
  const all = await Promise.all(Array.from({ length: 6 }, scanner));
  const counts = items.map((_, index) => all.filter((verdicts) => verdicts[index] === 'authentic').length);
  expect(counts).toEqual(items.map(() => 1));
  expect(new Set(all.flat())).toEqual(new Set(['authentic', 'already_scanned']));
  await vi.waitFor(async () => {
    const batch = await batchOf(batchId);
    expect(batch.scanned).toBe(20);
    expect(batch.items.map(({ scanCount }) => scanCount)).toEqual(items.map(() => 6));
  }, patience);
});

test('an app that asks the API through a proxy has the country that the proxy gives', async () => {
  const { items } = await mint(1);
  const [, itemId, signature] = /\/v\/(\w+)\/(\w+)$/.exec(items[0]!.url)!;
  const body = { itemId, signature };
  const answer = await waymark.api('POST', '/api/verify/serial', body, { 'cf-ipcountry': 'NZ' });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { verdict: 'authentic', firstScanCountry: 'NZ' },
  ]);
});

test('a token of a redirector that is none says nothing', async () => {
  const body = { itemId: '7CbHq2mXvR4k', signature: '1Jd8sQwLx5nB3TyV' };
  const answer = await waymark.api('POST', '/api/verify/serial', body, { 'x-waymark-proxy': 'a guess' });
  expect([answer.status, await answer.json()]).toEqual([404, { verdict: 'not_genuine' }]);
});

test('an app that asks the API gets the verdict of a redirector, and its errors', async () => {
  const { items } = await mint(1);
  const [, itemId, signature] = /\/v\/(\w+)\/(\w+)$/.exec(items[0]!.url)!;
  const ask = (body: unknown) => waymark.api('POST', '/api/verify/serial', body);
  const first = await ask({ itemId, signature });
  expect([first.status, await first.json()]).toMatchObject([
    200,
    { verdict: 'authentic', productName: 'A watch' },
  ]);
  expect(first.headers.get('ratelimit-policy')).toBe('60;w=60');
  expect(await (await ask({ itemId, signature })).json()).toMatchObject({
    verdict: 'already_scanned',
    scanCount: 2,
    sameDevice: true,
  });
  const forged = await ask({ itemId, signature: `1${'x'.repeat(15)}` });
  expect([forged.status, await forged.json()]).toEqual([404, { verdict: 'not_genuine' }]);
  const wrong = await ask({ itemId });
  expect([wrong.status, await wrong.json()]).toMatchObject([
    400,
    { error: expect.stringMatching(/^signature /) },
  ]);
});
