/** Deliveries as integrators receive and read them, verified with third-party libraries. */
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { webhookEventTypes } from '#schemas/api/webhook-events.ts';
import {
  createdWebhookObject,
  deliveryList,
  deliveryObject,
  replayObject,
  rotatedSecret,
  wholeDeliveryObject,
} from '#schemas/api/webhooks.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { finishDeliveries } from '../testing/finished.ts';
import { answering, type Received, type Receiver, startReceiver } from '../testing/receiver.ts';

const timeout = 30_000;
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  own = await plane.workspace();
});

const create = async (url: string, given: object = {}, { call }: Pick<Workspace, 'call'> = own) => {
  const { status, body } = await call('POST', '/api/webhooks', { url, events: ['form.submitted'], ...given });
  expect([status, body]).toEqual([201, expect.anything()]);
  return createdWebhookObject.parse(body);
};

const sendTest = async (id: string, body: object = {}) => {
  const answer = await own.call('POST', `/api/webhooks/${id}/test`, body);
  expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
  return deliveryObject.parse(answer.body);
};

const readDelivery = async (webhookId: string, id: string) =>
  wholeDeliveryObject.parse((await own.call('GET', `/api/webhooks/${webhookId}/deliveries/${id}`)).body);

const statusOf = async (webhookId: string, id: string) => (await readDelivery(webhookId, id)).status;

const list = async (webhookId: string, query = '', { call }: Pick<Workspace, 'call'> = own) =>
  deliveryList.parse((await call('GET', `/api/webhooks/${webhookId}/deliveries${query}`)).body);

const received = async (receiver: Receiver, number: number): Promise<Received> => {
  await expect.poll(() => receiver.received.length, { timeout }).toBeGreaterThanOrEqual(number);
  return receiver.received[number - 1]!;
};

/** Whether each library accepts a delivery as genuine. */
const verifiedBy = (secret: string, { headers, body }: Received): boolean[] =>
  [StandardWebhook, SvixWebhook].map((Library) => {
    try {
      new Library(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });

describe('a test delivery', () => {
  test('is signed as Standard Webhooks says, is in the log, and can be read with its request', async () => {
    const receiver = await startReceiver(answering(200, {}, 'thanks'));
    const { id, secret } = await create(receiver.url);
    const sent = await sendTest(id);
    expect(sent).toMatchObject({ type: 'form.submitted', status: 'pending', attempts: [], finishedAt: null });
    const request = await received(receiver, 1);
    expect(verifiedBy(secret, request)).toEqual([true, true]);
    expect(verifiedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toEqual([false, false]);
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers).toMatchObject({
      'webhook-id': sent.id,
      'content-type': 'application/json',
      'user-agent': 'Waymark-Webhooks/1.0',
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`,
    });
    expect(Object.keys(JSON.parse(request.body))).toEqual(['id', 'type', 'createdAt', 'data']);
    await expect.poll(() => statusOf(id, sent.id), { timeout }).toBe('succeeded');
    const delivery = await readDelivery(id, sent.id);
    expect(delivery).toMatchObject({
      id: sent.id,
      eventId: JSON.parse(request.body).id,
      attempts: [{ status: 200, error: null, response: 'thanks' }],
      nextAttemptAt: null,
      finishedAt: expect.any(String),
    });
    expect(delivery.request!.body).toBe(request.body);
    expect(request.headers).toMatchObject(delivery.request!.headers);
    expect((await list(id)).data).toMatchObject([{ id: sent.id, status: 'succeeded' }]);
  });

  test('is marked by a header and in the log, also when resent; a real one is not', async () => {
    const receiver = await startReceiver();
    const workspace = await plane.workspace();
    const { id } = await create(receiver.url, { events: ['*'] }, workspace);
    const path = `/api/webhooks/${id}`;
    const sent = deliveryObject.parse((await workspace.call('POST', `${path}/test`, {})).body);
    expect(sent.test).toBe(true);
    expect((await received(receiver, 1)).headers['webhook-test']).toBe('true');
    const statuses = async () => (await list(id, '', workspace)).data.map(({ status }) => status);
    await expect.poll(statuses, { timeout }).toEqual(['succeeded']);
    await workspace.call('POST', `${path}/deliveries/${sent.id}/resend`);
    expect((await received(receiver, 2)).headers['webhook-test']).toBe('true');
    await expect.poll(statuses, { timeout }).toEqual(['succeeded']);
    const whole = (await workspace.call('GET', `${path}/deliveries/${sent.id}`)).body;
    expect(whole).toMatchObject({ test: true, request: { headers: { 'webhook-test': 'true' } } });

    await workspace.createCode();
    const real = await received(receiver, 3);
    expect(real.headers).not.toHaveProperty('webhook-test');
    const { data } = await list(id, '', workspace);
    expect(data.map(({ type, test }) => [type, test])).toEqual([
      ['qr.created', false],
      ['scan.created', true],
    ]);
  });

  test('is of any requested type, with its documented data, and with all of its keys', async () => {
    const receiver = await startReceiver();
    const { id, secret } = await create(receiver.url, { events: ['*'] });
    for (const type of webhookEventTypes) await sendTest(id, { type });
    await received(receiver, webhookEventTypes.length);
    const types = receiver.received.map(
      ({ body }) => z.object({ type: z.string() }).parse(JSON.parse(body)).type,
    );
    expect(types.sort()).toEqual([...webhookEventTypes].sort());
    for (const request of receiver.received) expect(verifiedBy(secret, request)).toEqual([true, true]);
    expect(await sendTest(id)).toMatchObject({ type: 'scan.created' });
  });

  test('of a scan is a batch of one if the webhook has its scans batched', async () => {
    const receiver = await startReceiver();
    const batch = { maxEvents: 10, maxSeconds: 5 };
    const { id } = await create(receiver.url, { events: ['scan.created', 'qr.created'], batch });
    const sent = await sendTest(id);
    expect(sent.type).toBe('scan.created.batch');
    const { body } = await received(receiver, 1);
    expect(JSON.parse(body)).toMatchObject({
      id: sent.eventId,
      type: 'scan.created.batch',
      data: { events: [{ type: 'scan.created', data: { device: 'mobile' } }] },
    });
    expect(JSON.parse(body).data.events).toHaveLength(1);
    expect(await sendTest(id, { type: 'qr.created' })).toMatchObject({ type: 'qr.created' });
  });

  test('to a paused webhook is refused', async () => {
    const { id } = await create('http://127.0.0.1:9/', { status: 'paused' });
    expect(await own.call('POST', `/api/webhooks/${id}/test`, {})).toMatchObject({
      status: 409,
      body: { error: 'The webhook is paused; set its status to active first' },
    });
  });
});

describe('after its secret was rotated', () => {
  test('a delivery is genuine by both the old secret and the new one, for 24 hours', async () => {
    const receiver = await startReceiver();
    const { id, secret: old } = await create(receiver.url);
    const rotated = await own.call('POST', `/api/webhooks/${id}/rotate-secret`);
    const { secret, previousSecretExpiresAt } = rotatedSecret.parse(rotated.body);
    expect(secret).not.toBe(old);
    const hours = (Date.parse(previousSecretExpiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    expect((await own.call('GET', `/api/webhooks/${id}`)).body).toMatchObject({ previousSecretExpiresAt });
    await sendTest(id);
    const both = await received(receiver, 1);
    for (const each of [old, secret]) expect(verifiedBy(each, both)).toEqual([true, true]);
    const legacy = createHmac('sha256', secret).update(both.body).digest('hex');
    expect(both.headers['x-service-signature']).toBe(`sha256=${legacy}`);

    await plane.pool.query(
      `UPDATE webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect((await own.call('GET', `/api/webhooks/${id}`)).body).toMatchObject({
      previousSecretExpiresAt: null,
    });
    await sendTest(id);
    const alone = await received(receiver, 2);
    expect(verifiedBy(secret, alone)).toEqual([true, true]);
    expect(verifiedBy(old, alone)).toEqual([false, false]);
  });

  test('a second time, the first secret no longer signs', async () => {
    const receiver = await startReceiver();
    const { id, secret: first } = await create(receiver.url);
    const rotate = async () =>
      rotatedSecret.parse((await own.call('POST', `/api/webhooks/${id}/rotate-secret`)).body).secret;
    const [second, third] = [await rotate(), await rotate()];
    await sendTest(id);
    const request = await received(receiver, 1);
    expect([first, second, third].map((secret) => verifiedBy(secret, request)[0])).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('an event', () => {
  test('is delivered to the webhooks of its workspace that follow it, including resumed ones', async () => {
    const [receiver, later] = [await startReceiver(), await startReceiver()];
    const workspace = await plane.workspace();
    await create(receiver.url, { events: ['qr.created'] }, workspace);
    const paused = await create(later.url, { events: ['*'], status: 'paused' }, workspace);
    const { id } = await workspace.createCode();
    const request = await received(receiver, 1);
    const { subscriptionId } = workspace;
    expect(JSON.parse(request.body)).toMatchObject({
      type: 'qr.created',
      data: { qrId: id, shortId: id, dataType: 'url', secure: [], subscriptionId },
    });
    expect((await list(paused.id, '', workspace)).data).toMatchObject([
      { type: 'qr.created', status: 'pending', attempts: [], nextAttemptAt: null },
    ]);
    expect(later.received).toEqual([]);
    await workspace.call('PATCH', `/api/webhooks/${paused.id}`, { status: 'active' });
    expect((await received(later, 1)).body).toBe(request.body);
  });
});

describe('a delivery that fails', () => {
  test('waits for its next attempt, and shows the answer', async () => {
    const receiver = await startReceiver(answering(500, {}, 'out of order'));
    const { id } = await create(receiver.url);
    const sent = await sendTest(id);
    const attempts = async () => (await readDelivery(id, sent.id)).attempts.length;
    await expect.poll(attempts, { timeout }).toBe(1);
    const delivery = await readDelivery(id, sent.id);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ status: 500, response: 'out of order' }],
      finishedAt: null,
    });
    expect(Date.parse(delivery.nextAttemptAt!)).toBeGreaterThan(
      Date.parse(delivery.attempts[0]!.at) + 20_000,
    );
  });

  test('is sent at once if it is resent, but not during an attempt under way', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const receiver = await startReceiver(async (request, response) => {
      if (receiver.received.length > 1) await released;
      await answering(500)(request, response);
    });
    const { id } = await create(receiver.url);
    const sent = await sendTest(id);
    const resend = () => own.call('POST', `/api/webhooks/${id}/deliveries/${sent.id}/resend`);
    await expect.poll(async () => (await readDelivery(id, sent.id)).attempts.length, { timeout }).toBe(1);
    const resent = await resend();
    expect(resent).toMatchObject({ status: 202, body: { id: sent.id, status: 'pending' } });
    // Without the resend it would come after 27 seconds at the earliest.
    await expect.poll(() => receiver.received.length, { timeout: 25_000 }).toBe(2);
    expect(await resend()).toMatchObject({
      status: 409,
      body: { error: 'The delivery is being sent at this moment; wait for its answer' },
    });
    release();
    await expect.poll(async () => (await readDelivery(id, sent.id)).attempts.length, { timeout }).toBe(2);
  });
});

describe('a delivery that has ended', () => {
  test('is resent under its id, with the same bytes, and keeps its attempts', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const receiver = await startReceiver(async (request, response) => {
      // The resend is answered before its attempt has ended.
      if (receiver.received.length > 1) await released;
      answering(204)(request, response);
    });
    const { id, secret } = await create(receiver.url);
    const sent = await sendTest(id);
    await expect.poll(() => statusOf(id, sent.id), { timeout }).toBe('succeeded');
    const again = await own.call('POST', `/api/webhooks/${id}/deliveries/${sent.id}/resend`);
    expect(again).toMatchObject({
      status: 202,
      body: { id: sent.id, status: 'pending', attempts: [{ status: 204 }] },
    });
    release();
    const [first, second] = [await received(receiver, 1), await received(receiver, 2)];
    expect(second.body).toBe(first.body);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(verifiedBy(secret, second)).toEqual([true, true]);
    await expect.poll(() => statusOf(id, sent.id), { timeout }).toBe('succeeded');
    expect((await readDelivery(id, sent.id)).attempts).toMatchObject([{ status: 204 }, { status: 204 }]);
  });

  test('is sent again by a replay of its time range', async () => {
    const receiver = await startReceiver();
    const { id } = await create(receiver.url, { events: ['*'], status: 'paused' });
    await own.createCode();
    await finishDeliveries(plane.pool, id, 'failed');
    await own.call('PATCH', `/api/webhooks/${id}`, { status: 'active' });
    const range = { from: new Date(Date.now() - 3_600_000), to: Date.now() + 60_000 };
    const asked = await own.call('POST', `/api/webhooks/${id}/replay`, range);
    expect(asked).toMatchObject({ status: 202, body: { webhookId: id, which: 'failed', types: null } });
    expect(asked.body).not.toHaveProperty('state');
    const replay = replayObject.parse(asked.body);
    const read = async () =>
      replayObject.parse((await own.call('GET', `/api/webhooks/${id}/replays/${replay.id}`)).body);
    await expect
      .poll(read, { timeout })
      .toMatchObject({ status: 'completed', sent: 1, finishedAt: expect.any(String) });
    expect((await own.call('GET', `/api/webhooks/${id}/replays`)).body).toEqual({
      data: [await read()],
      pagination: { limit: 25, cursor: null, nextCursor: null },
    });
    const { headers } = await received(receiver, 1);
    const [delivery] = (await list(id)).data;
    expect(delivery).toMatchObject({ id: headers['webhook-id'], type: 'qr.created' });
  });
});

describe('the log', () => {
  let id: string;
  let workspace: Workspace;
  let ids: string[];
  /** One per delivery. */
  let codeIds: string[];

  const codeOf = async (deliveryId: string): Promise<string> => {
    const { body } = await workspace.call('GET', `/api/webhooks/${id}/deliveries/${deliveryId}`);
    const { data } = JSON.parse(wholeDeliveryObject.parse(body).request!.body);
    return z.object({ qrId: z.string() }).parse(data).qrId;
  };

  beforeAll(async () => {
    workspace = await plane.workspace();
    const paused = { events: ['*'], status: 'paused' };
    id = (await create('http://127.0.0.1:9/', paused, workspace)).id;
    for (let n = 0; n < 5; n++) await workspace.createCode();
    const { data } = await list(id, '', workspace);
    ids = data.map((each) => each.id);
    expect(data.every(({ test }) => !test)).toBe(true);
    codeIds = await Promise.all(ids.map(codeOf));
    await finishDeliveries(plane.pool, id, 'succeeded', [ids[0]!]);
    await finishDeliveries(plane.pool, id, 'failed', [ids[2]!, ids[3]!]);
  });

  test('comes page by page, the newest events first, whatever their outcome', async () => {
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(id, `?limit=2${cursor && `&cursor=${cursor}`}`, workspace);
      expect(page.pagination).toMatchObject({ limit: 2, cursor: cursor || null });
      pages.push(page.data.map((each) => each.id));
      cursor = page.pagination.nextCursor;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test.each([
    ['status=pending', [1, 4]],
    ['status=succeeded', [0]],
    ['status=failed', [2, 3]],
    ['type=qr.created', [0, 1, 2, 3, 4]],
    ['type=qr.deleted', []],
    ['type=qr.created&status=failed&limit=1', [2]],
  ])('of %s has those alone', async (query, expected) => {
    const { data } = await list(id, `?${query}`, workspace);
    expect(data.map((each) => each.id)).toEqual(expected.map((at) => ids[at]));
  });

  test('of a code has only the deliveries of its events', async () => {
    await workspace.call('PUT', `/api/qr/codes/${codeIds[2]}`, { name: 'Other' });
    const typesOf = async (query: string) =>
      (await list(id, `?qrId=${codeIds[2]}${query}`, workspace)).data.map(({ type }) => type);
    expect(await typesOf('')).toEqual(['qr.updated', 'qr.created']);
    expect(await typesOf('&type=qr.created&status=failed')).toEqual(['qr.created']);
    expect((await list(id, '?qrId=none', workspace)).data).toEqual([]);
    const first = await list(id, `?qrId=${codeIds[2]}&limit=1`, workspace);
    const cursor = first.pagination.nextCursor;
    expect(await typesOf(`&limit=1&cursor=${cursor}`)).toEqual(['qr.created']);
    await plane.pool.query(`DELETE FROM webhook_queue WHERE webhook_id = $1 AND type = 'qr.updated'`, [id]);
  });

  test('of an event has only its delivery, if the other filters match it', async () => {
    const { data } = await list(id, '', workspace);
    const { eventId } = data[2]!;
    const found = async (query: string) =>
      (await list(id, `?eventId=${eventId}${query}`, workspace)).data.map((each) => each.id);
    expect(await found('')).toEqual([ids[2]]);
    expect(await found(`&status=failed&type=qr.created&qrId=${codeIds[2]}&from=2020-01-01`)).toEqual([
      ids[2],
    ]);
    for (const other of [
      'status=pending',
      'type=qr.deleted',
      'qrId=none',
      'from=2100-01-01',
      'to=2020-01-01',
    ])
      expect([other, await found(`&${other}`)]).toEqual([other, []]);
    expect((await list(id, '?eventId=evt_none', workspace)).data).toEqual([]);
  });

  test('of a time range has the deliveries of its events, including the first instant but not the last', async () => {
    const { rows } = await plane.pool.query<{ at: Date }>(
      `SELECT e.occurred_at AS at FROM webhook_events e WHERE e.id = ANY ($1) ORDER BY e.occurred_at`,
      [(await list(id, '', workspace)).data.map(({ eventId }) => eventId)],
    );
    const [, from, , to] = rows.map(({ at }) => at.getTime());
    const expected = rows.filter(({ at }) => at.getTime() >= from! && at.getTime() < to!).length;
    for (const range of [
      `?from=${new Date(from!).toISOString()}&to=${new Date(to!).toISOString()}`,
      `?from=${from}&to=${to}`,
    ])
      expect((await list(id, range, workspace)).data).toHaveLength(expected);
    const all = (await list(id, '', workspace)).data;
    expect((await list(id, '?from=0', workspace)).data).toEqual(all);
  });

  test.each([
    ['from=yesterday', /^from must be an ISO 8601 instant/],
    ['to=1777896000', /^to must be in milliseconds or ISO 8601; these seem to be seconds/],
    ['qrId=', /^qrId must have at least 1 character/],
    ['limit=0', /^limit must be a whole number from 1 to 100/],
    ['limit=101', /^limit must be a whole number from 1 to 100/],
    ['status=sent', /^status must be one of pending, succeeded, failed/],
    ['type=qr.scanned', /^type must be one of scan\.created, /],
    ['cursor=abc', /^cursor must be a nextCursor of this list/],
  ])('refuses %s', async (query, message) => {
    const answer = await workspace.call('GET', `/api/webhooks/${id}/deliveries?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } });
  });

  test('of one webhook accepts no cursor of another, and has none of its deliveries', async () => {
    const other = await create('http://127.0.0.1:9/', { status: 'paused' }, workspace);
    const { pagination } = await list(id, '?limit=1', workspace);
    const path = `/api/webhooks/${other.id}/deliveries`;
    expect((await workspace.call('GET', `${path}?cursor=${pagination.nextCursor}`)).status).toBe(400);
    for (const delivery of [ids[0], 'dlv_1111111111111111', 'x'])
      expect((await workspace.call('GET', `${path}/${delivery}`)).status).toBe(404);
    expect((await workspace.call('POST', `${path}/${ids[0]}/resend`)).status).toBe(404);
    expect((await workspace.call('GET', `/api/webhooks/${id}/replays/whr_1111111111111111`)).status).toBe(
      404,
    );
  });
});

describe('a replay is rejected', () => {
  test.each([
    [{ from: '2026-01-02', to: '2026-01-01' }, 422, /^to must be later than from/],
    [{ from: '2100-01-01', to: '2100-01-02' }, 422, /^from must be in the past/],
    [{ from: '2020-01-01', to: '2020-01-02' }, 422, /^to must be within the last 30 days/],
    [{ from: 1_777_896_000, to: Date.now() }, 422, /^from must be in milliseconds or ISO 8601; .*seconds/],
    [{ from: 'yesterday', to: '2026-01-02' }, 422, /^from must be an ISO 8601 instant/],
    [{ to: '2026-01-02' }, 400, /^from is required/],
    [{ from: '2026-01-01', to: '2026-01-02', types: [] }, 422, /^types must have at least 1 entry/],
    [
      { from: '2026-01-01', to: '2026-01-02', types: ['*'] },
      422,
      /^types\[0\] must be one of scan\.created, /,
    ],
    [
      { from: '2026-01-01', to: '2026-01-02', which: 'pending' },
      422,
      /^which must be one of failed, missed, all/,
    ],
    [{ from: '2026-01-01', to: '2026-01-02', status: 'failed' }, 400, /^status is not a known field/],
    [{ from: '2026-01-01', to: 253_402_300_800_000 }, 422, /^to must be before the year 10000/],
    [{ from: 8.64e15, to: '2026-01-02' }, 422, /^from must be before the year 10000/],
  ])('%j', async (body, status, message) => {
    const { id } = await create('http://127.0.0.1:9/', { status: 'paused' });
    const answer = await own.call('POST', `/api/webhooks/${id}/replay`, body);
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(message) } });
    await own.call('DELETE', `/api/webhooks/${id}`);
  });
});
