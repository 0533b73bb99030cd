/** The client against the running API, and against receivers and servers on loopback. */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { answering, startReceiver } from '../../control-plane/features/webhooks/testing/receiver.ts';
import { startTestControlPlane, type TestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { type components, createWaymark, ok, pages, type Waymark, WaymarkError } from './src/index.ts';
import { verifyWebhook } from './src/webhooks.ts';

type Code = components['schemas']['Code'];

let plane: TestControlPlane;
let waymark: Waymark;
let apiKey: string;

beforeAll(async () => {
  plane = await startTestControlPlane({
    environment: { BASE_URL: 'https://api.example.com', WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  ({ apiKey } = await plane.workspace());
  waymark = createWaymark({ apiKey, baseUrl: plane.url });
});

/** `npm run client-types` writes the file that this test compares. */
test('the types are those of the API’s own document', async () => {
  const document = await (await fetch(`${plane.url}/openapi.json`)).text();
  const file = new URL('src/schema.d.ts', import.meta.url);
  const types = astToString(
    // A field with a default may be left out of a request.
    await openapiTypescript(document, { defaultNonNullable: false }),
  );
  if (process.env.WRITE_CLIENT_TYPES) await writeFile(file, types);
  expect((await readFile(file, 'utf8')) === types, 'run `npm run client-types`').toBe(true);
});

test('a code is created, changed and read, and each answer has its type', async () => {
  const { id } = await ok(
    waymark.POST('/api/qr/codes', { body: { data: 'https://example.com/a', name: 'Table 7' } }),
  );
  const changed = await ok(
    waymark.PUT('/api/qr/codes/{id}', {
      params: { path: { id } },
      body: { destination: 'https://example.com/b' },
    }),
  );
  expectTypeOf(changed.destination).toEqualTypeOf<string>();
  const read = await ok(waymark.GET('/api/qr/codes/{id}', { params: { path: { id } } }));
  expect(read).toMatchObject({ name: 'Table 7', destination: 'https://example.com/b' });
});

test('pages() yields each entry of all pages once, in order', async () => {
  const own = createWaymark({ apiKey: (await plane.workspace()).apiKey, baseUrl: plane.url });
  const created: string[] = [];
  for (let at = 0; at < 5; at++)
    created.push((await ok(own.POST('/api/qr/codes', { body: { data: `https://example.com/${at}` } }))).id);
  const listed: string[] = [];
  for await (const code of pages(own, '/api/qr/codes', { query: { limit: 2 } })) {
    expectTypeOf(code).toExtend<Code>();
    listed.push(code.id);
  }
  expect(listed).toEqual(created.toReversed());
});

test('a refusal is a WaymarkError with its status, code and request id', async () => {
  const refused = await ok(
    waymark.GET('/api/qr/codes/{id}', { params: { path: { id: 'nX5cPq7Rk' } } }),
  ).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WaymarkError);
  expect(refused).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
    message: expect.stringContaining('nX5cPq7Rk'),
    requestId: expect.stringMatching(/\w/),
  });
});

describe('retries', () => {
  const refusing = async (times: number, status: number, headers: Record<string, string>) => {
    const receiver = await startReceiver();
    receiver.answer = (request, response) => {
      const refused = receiver.received.length <= times;
      const answer = refused
        ? answering(status, headers, '{"error":"not now"}')
        : answering(
            200,
            { 'content-type': 'application/json' },
            '{"data":[],"pagination":{"nextCursor":null}}',
          );
      answer(request, response);
    };
    return { receiver, client: createWaymark({ apiKey: 'wm_x', baseUrl: receiver.url }) };
  };

  test('a call that was refused with 429 is made again after Retry-After, also a POST with its body', async () => {
    const { receiver, client } = await refusing(1, 429, { 'retry-after': '0' });
    const { response } = await client.POST('/api/qr/codes', { body: { data: 'https://example.com' } });
    expect(response.status).toBe(200);
    expect(receiver.received.map(({ body }) => body)).toEqual([
      '{"data":"https://example.com"}',
      '{"data":"https://example.com"}',
    ]);
  });

  test('a POST without an idempotency key is not repeated after 503, one with a key is', async () => {
    const bare = await refusing(1, 503, { 'retry-after': '0' });
    const { response } = await bare.client.POST('/api/qr/codes', { body: { data: 'https://example.com' } });
    expect([response.status, bare.receiver.received.length]).toEqual([503, 1]);
    const keyed = await refusing(1, 503, { 'retry-after': '0' });
    await keyed.client.POST('/api/qr/codes', {
      params: { header: { 'Waymark-Idempotency-Key': 'k1' } },
      body: { data: 'https://example.com' },
    });
    expect(keyed.receiver.received.length).toBe(2);
  });

  test('the erasure of scans is not repeated after 503, another DELETE is', async () => {
    const params = { path: { id: 'nX5cPq7Rk' } };
    const scans = await refusing(1, 503, { 'retry-after': '0' });
    const { response } = await scans.client.DELETE('/api/qr/codes/{id}/scans', { params });
    expect([response.status, scans.receiver.received.length]).toEqual([503, 1]);
    const code = await refusing(1, 503, { 'retry-after': '0' });
    await code.client.DELETE('/api/qr/codes/{id}', { params });
    expect(code.receiver.received.length).toBe(2);
  });

  test('a Retry-After longer than the client waits is returned at once', async () => {
    const { receiver, client } = await refusing(1, 429, { 'retry-after': '3600' });
    const { response } = await client.GET('/api/qr/codes');
    expect([response.status, receiver.received.length]).toEqual([429, 1]);
  });

  test('after two more attempts the refusal is returned', async () => {
    const { receiver, client } = await refusing(9, 429, { 'retry-after': '0' });
    const { response } = await client.GET('/api/qr/codes');
    expect([response.status, receiver.received.length]).toEqual([429, 3]);
  });

  test('a lost connection is tried again for a GET, and thrown for a POST', async () => {
    const { receiver, client } = await refusing(0, 200, {});
    const answer = receiver.answer;
    receiver.answer = (request, response) =>
      receiver.received.length === 1 ? void response.socket?.resetAndDestroy() : answer(request, response);
    expect((await client.GET('/api/qr/codes')).response.status).toBe(200);
    receiver.received.length = 0;
    await expect(client.POST('/api/qr/codes', { body: { data: 'https://example.com' } })).rejects.toThrow();
  });
});

test('a delivery is verified and typed; a changed one, one of another secret and an old one are refused', async () => {
  const receiver = await startReceiver();
  const { secret, id } = await ok(
    waymark.POST('/api/webhooks', { body: { url: receiver.url, events: ['qr.created'] } }),
  );
  await ok(
    waymark.POST('/api/webhooks/{webhookId}/test', {
      params: { path: { webhookId: id } },
      body: { type: 'qr.created' },
    }),
  );
  await expect.poll(() => receiver.received.length).toBe(1);
  const { body, headers } = receiver.received[0]!;
  const event = verifyWebhook(body, headers, secret);
  if (event.type !== 'qr.created') throw new Error(`${event.type} instead of qr.created`);
  expectTypeOf(event.data.shortId).toEqualTypeOf<string>();
  expect(event.data.shortId).toMatch(/^\w+$/);
  const refused = [
    () => verifyWebhook(body.replace('qr.created', 'qr.deleted'), headers, secret),
    () =>
      verifyWebhook(body, headers, `whsec_${Buffer.from('another secret of 24 byte').toString('base64')}`),
    () => verifyWebhook(body, { ...headers, 'webhook-timestamp': '1600000000' }, secret),
  ];
  for (const each of refused) expect(each).toThrow();
});
