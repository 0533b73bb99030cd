/** Deliveries with a real PostgreSQL and real receivers on loopback. */

import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { batchType, enqueueBatches, resend } from '../queue/enqueue.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { createSealedSecrets, createSecret } from '../queue/secrets.ts';
import { answering, hanging, resetting, startReceiver } from '../testing/receiver.ts';
import {
  openWebhookStore,
  secretsKey,
  type TestWebhook,
  type WebhookStore,
} from '../testing/webhook-store.ts';
import { createDeliverer, type Deliverer } from './deliverer.ts';
import { createSender, type SenderOptions } from './send.ts';
import { createSlots } from './slots.ts';
import { createWriter, type WriteEnd } from './writer.ts';

const logger = createLogger('test', 'silent');
const secrets = createSealedSecrets(secretsKey);
const outbox = createOutbox([createFanOut()]);

let store: WebhookStore;
beforeAll(async () => {
  store = await openWebhookStore();
});

/** Deliverers of the test; closed after it. */
const started: Deliverer[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
  await store.pool.query('DELETE FROM webhook_queue');
});

interface Started extends Deliverer {
  readonly ends: WriteEnd[];
}

/** A process's deliverer, with its own connections. */
const startDelivering = (sending: SenderOptions = {}, graceMs = 100): Started => {
  const pool = createPool(store.databaseUrl, 'test-deliverer', logger, 3);
  const ends: WriteEnd[] = [];
  const writer = createWriter({
    pool,
    outbox,
    logger,
    onEnded: (how, times = 1) => void ends.push(...Array.from({ length: times }, () => how)),
    onPaused: () => {},
  });
  const deliverer = createDeliverer({
    pool,
    secrets,
    sender: createSender({ allowPrivate: true, ...sending }),
    slots: createSlots(),
    writer,
    logger,
    onAttempt: () => {},
    graceMs,
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= deliverer.close().then(() => pool.end());
    return closed;
  };
  started.push({ ...deliverer, close });
  return { ...deliverer, ends, close };
};

/** A webhook in a workspace of its own. */
const newWebhook = async (url: string): Promise<TestWebhook> =>
  store.webhook({ workspaceId: await store.workspace(), url });

const emit = async ({ workspaceId }: TestWebhook, count = 1) => {
  const events = Array.from({ length: count }, () => store.event('form.submitted', workspaceId));
  await store.emit(outbox, events);
  return events;
};

/** Makes the waiting deliveries due now. */
const makeDue = (webhook: TestWebhook) =>
  store.pool.query('UPDATE webhook_queue SET due_at = now() WHERE webhook_id = $1 AND lease IS NULL', [
    webhook.id,
  ]);

const attemptsOf = async (webhook: TestWebhook) => (await store.queued(webhook.id))[0]?.attempts ?? [];

test('a delivery is the envelope, signed so that Standard Webhooks and svix verify it, and is in the log', async () => {
  const receiver = await startReceiver(answering(200, {}, 'thanks'));
  const webhook = await newWebhook(receiver.url);
  const [event] = await emit(webhook);
  startDelivering();
  await expect.poll(() => store.finished(webhook.id)).toHaveLength(1);
  const [{ method, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(method).toBe('POST');
  expect(JSON.parse(body)).toEqual({
    id: event!.id,
    type: 'form.submitted',
    createdAt: event!.occurredAt.toISOString(),
    data: { formId: event!.subject.id, formName: 'Example form', submissionId: 'subm_5Rt8mKx2NcVw9QzE' },
  });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Waymark-Webhooks/1.0' });
  const sent = headers as Record<string, string>;
  expect(new Webhook(webhook.secret).verify(body, sent)).toEqual(JSON.parse(body));
  new SvixWebhook(webhook.secret).verify(body, sent);
  for (const verifier of [new Webhook(createSecret()), new SvixWebhook(createSecret())])
    expect(() => verifier.verify(body, sent)).toThrow();
  const older = createHmac('sha256', webhook.secret).update(body).digest('hex');
  expect(headers['x-service-signature']).toBe(`sha256=${older}`);
  const [row] = await store.finished(webhook.id);
  expect(row).toMatchObject({
    id: headers['webhook-id'],
    event_id: event!.id,
    status: 'succeeded',
    attempts: [{ status: 200, error: null, response: 'thanks' }],
  });
  expect(await store.queued(webhook.id)).toEqual([]);
});

test('while a secret is rotated both sign; afterwards only the new one', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  const old = createSecret();
  const expires = async (interval: string) =>
    store.pool.query(
      `UPDATE webhooks SET previous_secret = $2, previous_secret_expires_at = now() + $3::interval WHERE id = $1`,
      [webhook.id, secrets.seal(webhook.id, old), interval],
    );
  await expires('1 hour');
  await emit(webhook);
  startDelivering();
  await expect.poll(() => receiver.received).toHaveLength(1);
  const [first] = receiver.received;
  for (const secret of [webhook.secret, old])
    new Webhook(secret).verify(first!.body, first!.headers as Record<string, string>);
  await expires('-1 second');
  await emit(webhook);
  await expect.poll(() => receiver.received).toHaveLength(2);
  const headers = receiver.received[1]!.headers as Record<string, string>;
  expect(() => new Webhook(old).verify(receiver.received[1]!.body, headers)).toThrow();
});

test('every attempt has the same bytes and the same webhook-id, and so does a resend', async () => {
  const receiver = await startReceiver(answering(500, {}, 'not now'));
  const webhook = await newWebhook(receiver.url);
  await emit(webhook);
  startDelivering();
  for (let attempts = 1; attempts < 6; attempts++) {
    await expect.poll(() => attemptsOf(webhook)).toHaveLength(attempts);
    await makeDue(webhook);
  }
  await expect.poll(() => store.finished(webhook.id)).toMatchObject([{ status: 'failed' }]);
  const [failed] = await store.finished(webhook.id);
  expect(failed!.attempts).toHaveLength(6);
  expect(failed!.attempts[5]).toMatchObject({ status: 500, error: null, response: 'not now' });
  receiver.answer = answering(204);
  expect(await resend(store.pool, webhook.id, failed!.id)).toBe('queued');
  await expect.poll(() => store.finished(webhook.id)).toMatchObject([{ status: 'succeeded' }]);
  expect((await store.finished(webhook.id))[0]!.attempts).toHaveLength(7);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([failed!.id]),
  );
});

test('a failed delivery waits 30 seconds, plus or minus a tenth', async () => {
  const receiver = await startReceiver(answering(500));
  const webhook = await newWebhook(receiver.url);
  await emit(webhook);
  startDelivering();
  await expect.poll(() => attemptsOf(webhook)).toHaveLength(1);
  const [row] = await store.queued(webhook.id);
  const waitsMs = row!.due_at.getTime() - Date.parse(row!.attempts[0]!.at);
  expect(waitsMs).toBeGreaterThan(26_900);
  expect(row).toMatchObject({ lease: null, round_attempts: 1 });
});

describe('a receiver', () => {
  test.each([
    [
      'that resets the connection',
      {},
      resetting,
      /^the connection was closed before the answer was complete/,
    ],
    [
      'that redirects',
      {},
      answering(302, { location: 'http://127.0.0.1:9/' }),
      /^redirects are not followed$/,
    ],
    ['that hangs', { timeoutMs: 300 }, hanging, /^no complete answer within 0.3 seconds$/],
    [
      'that never finishes its answer',
      { timeoutMs: 300 },
      (_: unknown, response: import('node:http').ServerResponse) => void response.writeHead(200).write('a'),
      /^no complete answer within 0.3 seconds$/,
    ],
  ] as const)('%s fails its delivery, and the log says why', async (_, sending, answer, error) => {
    const receiver = await startReceiver(answer);
    const webhook = await newWebhook(receiver.url);
    await emit(webhook);
    startDelivering(sending);
    await expect.poll(() => attemptsOf(webhook)).toMatchObject([{ error: expect.stringMatching(error) }]);
  });

  test('that is down fails its delivery, and the log says that it refused the connection', async () => {
    const webhook = await newWebhook('http://127.0.0.1:9/');
    await emit(webhook);
    startDelivering();
    await expect
      .poll(() => attemptsOf(webhook))
      .toMatchObject([{ status: null, response: null, error: 'the connection was refused (ECONNREFUSED)' }]);
  });

  test('that asks for a later retry with Retry-After is sent no delivery until then', async () => {
    const receiver = await startReceiver((request, response) =>
      answering(request.body.includes('first') ? 503 : 204, { 'retry-after': '3000' })(request, response),
    );
    receiver.answer = answering(503, { 'retry-after': '3000' });
    const webhook = await newWebhook(receiver.url);
    const other = await newWebhook((await startReceiver()).url);
    await emit(webhook);
    startDelivering();
    await expect.poll(() => attemptsOf(webhook)).toMatchObject([{ status: 503 }]);
    const [row] = await store.queued(webhook.id);
    expect(row!.due_at.getTime() - Date.parse(row!.attempts[0]!.at)).toBeGreaterThan(2_900_000);
    receiver.answer = answering(204);
    await emit(webhook);
    await emit(other);
    await expect.poll(() => store.finished(other.id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
    expect(await store.finished(webhook.id)).toEqual([]);
  });
});

/** Outlasts the test, so that a hanging attempt does not time out. */
const outlasting = { timeoutMs: 120_000 };

test('a healthy webhook gets its deliveries while another one hangs and a third is dead', async () => {
  const healthy = await startReceiver();
  const hung = await startReceiver(hanging);
  const [good, slow, dead] = [
    await newWebhook(healthy.url),
    await newWebhook(hung.url),
    await newWebhook('http://127.0.0.1:9/'),
  ];
  for (const webhook of [slow, dead, good]) await emit(webhook, 100);
  startDelivering(outlasting);
  await expect.poll(() => store.finished(good.id)).toHaveLength(100);
  expect(hung.received.length).toBeLessThanOrEqual(8);
  expect(await store.finished(slow.id)).toEqual([]);
});

test('a webhook gets its delivery while 40 of another workspace hang', async () => {
  const hung = await Promise.all(Array.from({ length: 5 }, () => startReceiver(hanging)));
  const workspaceId = await store.workspace();
  const slow: TestWebhook[] = [];
  for (let i = 0; i < 40; i++) slow.push(await store.webhook({ workspaceId, url: hung[i % 5]!.url }));
  const underWay = () => hung.reduce((sum, { received }) => sum + received.length, 0);
  await emit(slow[0]!, 8);
  startDelivering(outlasting);
  await expect.poll(underWay).toBeGreaterThanOrEqual(62);
  const other = await newWebhook((await startReceiver()).url);
  await emit(other);
  await expect.poll(() => store.finished(other.id)).toHaveLength(1);
});

test('two processes that share a queue send each delivery once', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  await emit(webhook, 300);
  const both = [startDelivering(), startDelivering()];
  await expect.poll(() => store.finished(webhook.id)).toHaveLength(300);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
  await Promise.all(both.map((one) => one.close()));
  expect(both.flatMap(({ ends }) => ends)).toEqual(Array.from({ length: 300 }, () => 'written'));
});

test('a delivery of a dead process is sent again when its lease ends, under the same id', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  await emit(webhook);
  await store.pool.query(
    `UPDATE webhook_queue SET lease = gen_random_uuid(), due_at = now() + interval '1 second' WHERE webhook_id = $1`,
    [webhook.id],
  );
  const [leased] = await store.queued(webhook.id);
  startDelivering();
  await expect.poll(() => store.finished(webhook.id)).toHaveLength(1);
  expect(Date.now()).toBeGreaterThanOrEqual(leased!.due_at.getTime());
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([leased!.id]);
});

test('a result with a lost lease decides nothing, but its attempt is in the log', async () => {
  let answerNow = () => {};
  const receiver = await startReceiver((_, response) => {
    answerNow = () => void response.writeHead(200).end('late');
  });
  const webhook = await newWebhook(receiver.url);
  await emit(webhook);
  const delivering = startDelivering();
  await expect.poll(() => receiver.received).toHaveLength(1);
  await store.pool.query('UPDATE webhook_queue SET lease = gen_random_uuid() WHERE webhook_id = $1', [
    webhook.id,
  ]);
  answerNow();
  await expect.poll(() => attemptsOf(webhook)).toMatchObject([{ status: 200, response: 'late' }]);
  await expect.poll(() => delivering.ends).toEqual(['lost']);
  expect(await store.finished(webhook.id)).toEqual([]);
});

test('a webhook that is deleted during a delivery is sent nothing further', async () => {
  let answerNow = () => {};
  const receiver = await startReceiver((_, response) => {
    answerNow = () => void response.writeHead(500).end();
  });
  const webhook = await newWebhook(receiver.url);
  await emit(webhook);
  startDelivering();
  await expect.poll(() => receiver.received).toHaveLength(1);
  await store.pool.query('DELETE FROM webhooks WHERE id = $1', [webhook.id]);
  answerNow();
  await expect.poll(() => attemptsOf(webhook)).toHaveLength(1);
  await makeDue(webhook);
  const other = await newWebhook((await startReceiver()).url);
  await emit(other);
  await expect.poll(() => store.finished(other.id)).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
});

test('a closing process aborts hanging attempts, logs them, and leaves the deliveries due for another process', async () => {
  const receiver = await startReceiver(hanging);
  const webhook = await newWebhook(receiver.url);
  await emit(webhook);
  const delivering = startDelivering();
  await expect.poll(() => receiver.received).toHaveLength(1);
  await delivering.close();
  const brokenOff = {
    status: null,
    error: 'broken off: the control plane was stopped; the delivery is sent again',
    response: null,
  };
  expect(await store.queued(webhook.id)).toMatchObject([
    { lease: null, round_attempts: 0, attempts: [brokenOff] },
  ]);
  receiver.answer = answering(204);
  const next = startDelivering();
  await expect
    .poll(() => store.finished(webhook.id))
    .toMatchObject([{ status: 'succeeded', attempts: [brokenOff, { status: 204 }] }]);
  expect(receiver.received).toHaveLength(2);
  await next.close();
});

describe('when a webhook is paused, another one of its workspace is notified', () => {
  test.each([
    ['with the failure that makes it five days of failing', 500, '6 days', '2 hours'],
    ['with the first answer 410', 410, null, null],
  ])('%s', async (_, status, since, last) => {
    const [receiver, notified] = [await startReceiver(answering(status)), await startReceiver()];
    const webhook = await newWebhook(receiver.url);
    const { workspaceId } = webhook;
    const other = await store.webhook({ workspaceId, url: notified.url, events: ['webhook.paused'] });
    await store.pool.query(
      'UPDATE webhooks SET failing_since = now() - $2::interval, last_failed_at = now() - $3::interval WHERE id = $1',
      [webhook.id, since, last],
    );
    await emit(webhook, 3);
    startDelivering();
    await expect
      .poll(() => store.found(webhook.id))
      .toMatchObject({ status: 'paused', paused_reason: 'failing' });
    await expect
      .poll(() => store.finished(other.id))
      .toMatchObject([{ type: 'webhook.paused', status: 'succeeded' }]);
    expect(JSON.parse(notified.received[0]!.body).data).toMatchObject({
      webhookId: webhook.id,
      url: receiver.url,
    });
    const waiting = await store.queued(webhook.id);
    expect(waiting).toHaveLength(4);
    await expect
      .poll(async () => (await store.queued(webhook.id)).every(({ lease }) => lease === null))
      .toBe(true);
  });
});

/** A webhook with a batch of three scans in its queue. */
const queueBatch = async (url: string) => {
  const batch = { maxEvents: 10, maxSeconds: 1 };
  const webhook = await store.webhook({ workspaceId: await store.workspace(), url, batch });
  const events = [1, 2, 3].map(() => store.event('scan.created', webhook.workspaceId));
  await store.emit(createOutbox([createFanOut(async () => {})]), events);
  const keys = events.map(({ id, occurredAt }) => ({ id, placedAt: occurredAt }));
  await inTransaction(store.pool, (tx) => enqueueBatches(tx, [{ webhookId: webhook.id, events: keys }]));
  return { webhook, events };
};

test('a batch is one request with the envelopes of its events', async () => {
  const receiver = await startReceiver();
  const { webhook, events } = await queueBatch(receiver.url);
  startDelivering();
  await expect
    .poll(() => store.finished(webhook.id))
    .toMatchObject([{ type: batchType, status: 'succeeded' }]);
  const body = JSON.parse(receiver.received[0]!.body);
  expect(body).toMatchObject({ type: batchType, id: expect.stringMatching(/^evt_/) });
  expect(body.data.events.map(({ id }: { id: string }) => id)).toEqual(events.map(({ id }) => id));
  expect(body.data.events[0]).toEqual({
    id: events[0]!.id,
    type: 'scan.created',
    createdAt: events[0]!.occurredAt.toISOString(),
    data: { qrId: 'Ab3dEf9Hk', shortId: 'Ab3dEf9Hk', country: 'FR', device: 'mobile' },
  });
});

test('every attempt of a batch has the same bytes', async () => {
  const receiver = await startReceiver(answering(500));
  const { webhook } = await queueBatch(receiver.url);
  startDelivering();
  await expect.poll(() => attemptsOf(webhook)).toHaveLength(1);
  receiver.answer = answering(204);
  await makeDue(webhook);
  await expect.poll(() => store.finished(webhook.id)).toMatchObject([{ status: 'succeeded' }]);
  const [first, second] = receiver.received;
  expect(second!.body).toBe(first!.body);
});

test('a delivery whose event has expired fails, and says so', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  const [event] = await emit(webhook);
  await store.pool.query('DELETE FROM webhook_events WHERE id = $1', [event!.id]);
  startDelivering();
  await expect
    .poll(() => store.finished(webhook.id))
    .toMatchObject([{ status: 'failed', attempts: [{ error: 'its event is not kept any more' }] }]);
  expect(receiver.received).toEqual([]);
});

test('a webhook whose secret cannot be opened fails, and does not hold up others', async () => {
  const receiver = await startReceiver();
  const [broken, good] = [await newWebhook(receiver.url), await newWebhook(receiver.url)];
  await store.pool.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [
    broken.id,
    Buffer.from('no secret'),
  ]);
  await emit(broken);
  await emit(good);
  startDelivering();
  await expect.poll(() => store.finished(good.id)).toHaveLength(1);
  await expect
    .poll(() => attemptsOf(broken))
    .toMatchObject([{ error: 'the secret of the webhook cannot be read: rotate it' }]);
});

test('a paused webhook is sent nothing, and everything when it is resumed', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  const other = await newWebhook((await startReceiver()).url);
  await store.pool.query(
    `UPDATE webhooks SET status = 'paused', paused_reason = 'owner', paused_at = now() WHERE id = $1`,
    [webhook.id],
  );
  await emit(webhook, 3);
  await emit(other);
  startDelivering();
  await expect.poll(() => store.finished(other.id)).toHaveLength(1);
  expect(receiver.received).toEqual([]);
  await store.pool.query(
    `UPDATE webhooks SET status = 'active', paused_reason = NULL, paused_at = NULL WHERE id = $1`,
    [webhook.id],
  );
  await expect.poll(() => store.finished(webhook.id)).toHaveLength(3);
});
