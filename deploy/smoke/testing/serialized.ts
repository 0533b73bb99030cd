/** Serialized codes. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { waymark } from './shared-installation.ts';

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
  await expect.poll(async () => (await batchOf(batchId)).status).toBe('completed');
  return { batchId, ...(await batchOf(batchId)) };
};

const verdictOf = z.object({ verdict: z.string().nullish() });
let phones = 0;

/** Each on its own phone and connection, so that every process is asked. */
const fromPhone = () => ({
  connection: 'close',
  'x-forwarded-for': `2001:db8:2:${(phones++).toString(16)}::1`,
});

let turnedAway = 0;

/** Repeats a request without a verdict, as the same phone: it gets the claim whose answer it missed. */
const untilAnswered = async (ask: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const response = await ask();
    if (response.status !== 503) return response;
    turnedAway++;
    await response.body?.cancel();
  }
};

const scan = async (url: string): Promise<string> => {
  const headers = fromPhone();
  const response = await untilAnswered(() => waymark.scan(url, { headers }));
  return verdictOf.parse(await response.json()).verdict ?? '';
};

/** Verifies as an app does. */
const verify = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  untilAnswered(() => waymark.api('POST', '/api/verify/serial', body, headers));

test('each unit is authentic once, however many phones scan it at once, and PostgreSQL counts every answer', async () => {
  const { batchId, items } = await mint(10);
  turnedAway = 0;
  const scanner = async (): Promise<string[]> => {
    const verdicts: string[] = [];
    for (const { url } of items) verdicts.push(await scan(url));
    return verdicts;
  };
  const all = await Promise.all(Array.from({ length: 6 }, scanner));
  const counts = items.map((_, index) => all.filter((verdicts) => verdicts[index] === 'authentic').length);
  expect(counts).toEqual(items.map(() => 1));
  expect(new Set(all.flat())).toEqual(new Set(['authentic', 'already_scanned']));
  const counted = async () => {
    const { scanned, items } = await batchOf(batchId);
    return { scanned, least: Math.min(...items.map(({ scanCount }) => scanCount)) };
  };
  await expect.poll(counted).toEqual({ scanned: 10, least: 6 });
  const total = (await batchOf(batchId)).items.reduce((sum, { scanCount }) => sum + scanCount, 0);
  expect(total).toBeGreaterThanOrEqual(60);
  // A rejected one may be counted: its claim is recorded before the answer.
  expect(total).toBeLessThanOrEqual(60 + turnedAway);
});

test('an app that calls the API through a proxy has the country that the proxy sets', async () => {
  const { items } = await mint(1);
  const [, itemId, signature] = /\/v\/(\w+)\/(\w+)$/.exec(items[0]!.url)!;
  const body = { itemId, signature };
  const answer = await verify(body, { 'cf-ipcountry': 'NZ' });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { verdict: 'authentic', firstScanCountry: 'NZ' },
  ]);
});

const notGenuine = {
  verdict: 'not_genuine',
  error: 'The signature of this code is not ours',
  code: 'NOT_FOUND',
};

test('a forged redirector token has no effect', async () => {
  const body = { itemId: '7CbHq2mXvR4k', signature: '1Jd8sQwLx5nB3TyV' };
  const answer = await verify(body, { 'x-waymark-proxy': 'a guess' });
  expect([answer.status, await answer.json()]).toMatchObject([404, notGenuine]);
});

test('an app that calls the API gets the verdict of a redirector, and its errors', async () => {
  const { items } = await mint(1);
  const [, itemId, signature] = /\/v\/(\w+)\/(\w+)$/.exec(items[0]!.url)!;
  const first = await verify({ itemId, signature });
  expect([first.status, await first.json()]).toMatchObject([
    200,
    { verdict: 'authentic', productName: 'A watch' },
  ]);
  expect(first.headers.get('ratelimit-policy')).toBe('60;w=60');
  expect(await (await verify({ itemId, signature })).json()).toMatchObject({
    verdict: 'already_scanned',
    scanCount: 2,
    sameDevice: true,
  });
  const forged = await verify({ itemId, signature: `1${'x'.repeat(15)}` });
  expect([forged.status, await forged.json()]).toMatchObject([404, notGenuine]);
  const wrong = await verify({ itemId });
  expect([wrong.status, await wrong.json()]).toMatchObject([
    400,
    { error: expect.stringMatching(/^signature /) },
  ]);
});
