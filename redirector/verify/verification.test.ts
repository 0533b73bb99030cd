/** Verifications answered without a lookup: the limit, the signature, and visitors that are not persons. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { deriveKey, internalToken } from '#shared/signing.ts';
import { phone, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

let app: TestRedirector;
let addresses = 0;
const notGenuine = {
  verdict: 'not_genuine',
  error: 'The signature of this code is not ours',
  code: 'NOT_FOUND',
};

const signaturesOf = (generation: number, purpose: string) =>
  createSerialSignatures(new Map([[generation, deriveKey(app.config.secretKey, purpose)]]));

/** Each verification comes from a new address, unless it names one. */
const ask = (path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(app.url + path, {
    ...init,
    headers: {
      'user-agent': phone,
      'x-forwarded-for': `2001:db8:0:${(addresses++).toString(16)}::1`,
      ...headers,
    },
  });

const genuine = (generation = 1): string => {
  const signatures = signaturesOf(generation, 'serial item');
  const itemId = signatures.createItemId();
  return `/v/${itemId}/${signatures.sign(itemId, generation)}`;
};
const forged = '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3TyV';

/**
 * The limit's window is a minute of the clock: this stops the process's clock, and so the redirector's, until the test
 * ends.
 */
const stopClock = (): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
};

beforeAll(async () => {
  app = await startTestRedirector({ TRUSTED_PROXIES: '127.0.0.1' });
  await app.connected();
});

test.each([
  ['forged', forged],
  ['forged, with a slash at the end', `${forged}/`],
  ['too short', '/v/7CbHq2mXvR4k/1Jd8'],
  ['too long', `/v/7CbHq2mXvR4k/${'1'.repeat(2000)}`],
  ['of a key that does not exist', '/v/7CbHq2mXvR4k/zJd8sQwLx5nB3TyV'],
  ['not base58', '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3T%C3%A9'],
])('a signature that is %s is not genuine', async (_, path) => {
  const response = await ask(path);
  expect([response.status, await response.json()]).toEqual([404, notGenuine]);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
});

test('a signature of one item is not genuine for another item', async () => {
  const [, , one] = genuine().split('/');
  const [, , , signature] = genuine().split('/');
  expect(await (await ask(`/v/${one}/${signature}`)).json()).toEqual(notGenuine);
});

test('a signature with a key that this process lacks says nothing about the item', async () => {
  const response = await ask(genuine(2));
  expect(response.status).toBe(503);
  expect(app.logged()).toContainEqual(
    expect.objectContaining({ generation: 2, latest: 1, msg: expect.stringContaining('SERIAL_KEYS lacks') }),
  );
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' });
});

test.each([
  ['a link preview', 'GET', { 'user-agent': 'WhatsApp/2.23.20.0' }],
  ['a program', 'GET', { 'user-agent': 'curl/8.5.0' }],
])('%s gets no verdict', async (_, method, headers) => {
  const response = await ask(genuine(), { method, headers });
  expect([response.status, await response.json()]).toEqual([200, { verdict: null }]);
});

test('HEAD gets no verdict, and no body', async () => {
  const response = await ask(genuine(), { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('a prefetch gets 503, so that the browser asks again when a person looks', async () => {
  const response = await ask(genuine(), { headers: { 'sec-purpose': 'prefetch;prerender' } });
  expect(response.status).toBe(503);
  expect(response.headers.get('cache-control')).toContain('no-store');
});

test('other methods are refused, naming the allowed ones', async () => {
  const response = await ask(forged, { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('an address may verify 60 times a minute, in any form', async () => {
  stopClock();
  const headers = { 'x-forwarded-for': '203.0.113.60' };
  const post = (from = headers) =>
    ask('/api/verify/serial', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from },
      body: JSON.stringify({ itemId: '7CbHq2mXvR4k', signature: '1Jd8sQwLx5nB3TyV' }),
    });
  const first = await ask(forged, { headers });
  expect(first.headers.get('ratelimit-policy')).toBe('60;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^limit=60, remaining=59, reset=\d+$/);
  for (let count = 1; count < 60; count++) {
    const response = await (count % 2 ? post() : ask(forged, { headers }));
    expect(response.status).toBe(404);
  }
  for (const refused of [await ask(genuine(), { headers }), await post()]) {
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toMatch(/remaining=0/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await post({ 'x-forwarded-for': '203.0.113.61' })).status).toBe(404);
});

describe('POST /api/verify/serial', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask('/api/verify/serial', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const item = { itemId: '7CbHq2mXvR4k', signature: '1Jd8sQwLx5nB3TyV' };

  test('answers with the same verdicts', async () => {
    const response = await post(JSON.stringify(item));
    expect([response.status, await response.json()]).toEqual([404, notGenuine]);
  });

  test.each([
    ['that is not JSON', '{"itemId"', 400, /valid JSON/],
    ['that is not UTF-8', '{"itemId": "\ud800"}', 400, /signature is required/],
    ['that is not an object', '[]', 400, /JSON object; given: an array/],
    ['without an item', JSON.stringify({ signature: 'x' }), 400, /^itemId is required/],
    ['without a signature', JSON.stringify({ itemId: 'x' }), 400, /^signature is required/],
    [
      'whose item is not a string',
      JSON.stringify({ ...item, itemId: 7 }),
      400,
      /^itemId must be a string.*given: 7/,
    ],
    [
      'with an empty signature',
      JSON.stringify({ ...item, signature: '' }),
      422,
      /^signature must not be empty/,
    ],
    [
      'with a long item',
      JSON.stringify({ ...item, itemId: 'x'.repeat(101) }),
      422,
      /^itemId must have at most 100/,
    ],
    [
      'with an inherited field',
      '{"__proto__": {"itemId": "x", "signature": "y"}}',
      400,
      /^itemId is required/,
    ],
    ['that is large', JSON.stringify({ ...item, more: 'x'.repeat(5000) }), 413, /2048 bytes/],
  ])('refuses a body %s, naming the field', async (_, body, status, message) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(message) });
  });

  test('names the other field too, if both are wrong', async () => {
    expect(await (await post('{}')).json()).toEqual({
      error: expect.stringMatching(/^itemId is required/),
      code: 'INVALID_REQUEST',
      details: [expect.stringMatching(/^signature is required/)],
    });
  });

  test.each<[string, string, Record<string, string>, RegExp]>([
    [
      'another type',
      '',
      { 'content-type': 'text/plain' },
      /^Content-Type must be application\/json; given: 'text\/plain'$/,
    ],
    ['another charset', '', { 'content-type': 'application/json; charset=latin1' }, /charset .*latin1/],
    ['a coding', '', { 'content-encoding': 'gzip' }, /^Content-Encoding must not be set/],
    ['a query', '?lang=de', {}, /^lang is not a known parameter; none is accepted here$/],
  ])('refuses %s, as the API does', async (_, query, headers, message) => {
    const response = await ask(`/api/verify/serial${query}`, {
      method: 'POST',
      body: JSON.stringify(item),
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(message) });
  });

  test.each([
    ['GET', 405],
    ['HEAD', 405],
    ['PUT', 405],
    ['OPTIONS', 204],
  ])('%s is answered %d with the methods, as at the API', async (method, status) => {
    for (const path of ['/api/verify/serial', '/api/verify/serial/']) {
      const response = await ask(path, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([status, 'POST, OPTIONS']);
      expect((await response.text()) === '').toBe(method === 'HEAD' || method === 'OPTIONS');
    }
  });

  test('a slash at the end makes no difference', async () => {
    const init = { method: 'POST', body: JSON.stringify(item) };
    const headers = { 'content-type': 'application/json' };
    const response = await ask('/api/verify/serial/', { ...init, headers });
    expect([response.status, await response.json()]).toEqual([404, notGenuine]);
  });

  test('trusts a forwarded address only from the control plane', async () => {
    const bare = await startTestRedirector({}, { waitForRedis: false });
    stopClock();
    const remaining = async (from: string, token: string) => {
      const response = await fetch(`${bare.url}/api/verify/serial`, {
        method: 'POST',
        body: JSON.stringify(item),
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': from,
          'x-waymark-proxy': token,
        },
      });
      return /remaining=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1];
    };
    const token = internalToken(bare.config.secretKey);
    expect([await remaining('203.0.113.1', token), await remaining('203.0.113.2', token)]).toEqual([
      '59',
      '59',
    ]);
    expect([await remaining('203.0.113.3', 'a guess'), await remaining('203.0.113.4', '')]).toEqual([
      '59',
      '58',
    ]);
  });
});

test('verifications are counted by their outcome', async () => {
  const metrics = await app.redirector.metrics.metrics();
  for (const outcome of ['not_genuine', 'neutral', 'prefetched', 'unknown_key', 'limited', 'invalid'])
    expect(metrics).toMatch(new RegExp(`verifications_total\\{outcome="${outcome}"\\} [1-9]`));
});
