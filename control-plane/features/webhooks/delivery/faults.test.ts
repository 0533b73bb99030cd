/** Deliveries while PostgreSQL is down, while it rejects results, and when a control plane is killed. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { deriveKey } from '#shared/signing.ts';
import { startRelay } from '../../../../deploy/testing/relay.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { secretKey } from '../../../testing/control-plane.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { createSealedSecrets, secretKeyPurpose } from '../queue/secrets.ts';
import { answering, hanging, type Receiver, startReceiver } from '../testing/receiver.ts';
import {
  openWebhookStore,
  secretsKey,
  type TestWebhook,
  type WebhookStore,
} from '../testing/webhook-store.ts';
import { createDeliverer } from './deliverer.ts';
import { createSender } from './send.ts';
import { createSlots } from './slots.ts';
import { createWriter, type WriteEnd } from './writer.ts';

const logger = createLogger('test', 'silent');
const outbox = createOutbox([createFanOut()]);

let store: WebhookStore;
let closeStarted = async (): Promise<void> => {};
beforeAll(async () => {
  store = await openWebhookStore();
});
afterEach(async () => {
  await closeStarted();
  closeStarted = async () => {};
  await store.pool.query('DELETE FROM webhook_queue');
});

/** @returns the outcomes of the results */
const startDelivering = (databaseUrl = store.databaseUrl, key: Buffer = secretsKey): WriteEnd[] => {
  const pool = createPool(databaseUrl, 'test-deliverer', logger, 3);
  const ends: WriteEnd[] = [];
  const onEnded = (how: WriteEnd, times = 1) => void ends.push(...Array.from({ length: times }, () => how));
  const deliverer = createDeliverer({
    pool,
    secrets: createSealedSecrets(key),
    sender: createSender({ allowPrivate: true }),
    slots: createSlots(),
    writer: createWriter({ pool, outbox, logger, onEnded, onPaused: () => {} }),
    logger,
    onAttempt: () => {},
    graceMs: 100,
  });
  closeStarted = () => deliverer.close().then(() => pool.end());
  return ends;
};

const newWebhook = async (url: string): Promise<TestWebhook> =>
  store.webhook({ workspaceId: await store.workspace(), url });

const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id']);

test('a result that cannot be written waits for PostgreSQL, and is sent once', async () => {
  let answerNow = () => {};
  const receiver = await startReceiver((_, response: ServerResponse) => {
    answerNow = () => void response.writeHead(200).end('thanks');
  });
  const webhook = await newWebhook(receiver.url);
  await store.emit(outbox, [store.event('qr.deleted', webhook.workspaceId)]);
  const relay = await startRelay(store.databaseUrl);
  startDelivering(relay.url);
  await expect.poll(() => receiver.received).toHaveLength(1);
  relay.cut();
  answerNow();
  const other = await newWebhook(receiver.url);
  await store.emit(outbox, [store.event('qr.deleted', other.workspaceId)]);
  expect(await store.queued(webhook.id)).toMatchObject([{ attempts: [] }]);
  relay.mend();
  await expect
    .poll(() => store.finished(webhook.id))
    .toMatchObject([{ status: 'succeeded', attempts: [{ status: 200, response: 'thanks' }] }]);
  await expect.poll(() => receiver.received).toHaveLength(2);
  expect(new Set(idsOf(receiver)).size).toBe(2);
  answerNow();
});

test('a result that PostgreSQL rejects affects only itself: its delivery is sent again', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  await store.pool.query(
    `ALTER TABLE webhook_deliveries ADD CONSTRAINT refusing CHECK (type <> 'qr.deleted') NOT VALID`,
  );
  await store.emit(outbox, [
    store.event('qr.updated', webhook.workspaceId),
    store.event('qr.deleted', webhook.workspaceId),
    store.event('qr.created', webhook.workspaceId),
  ]);
  const ends = startDelivering();
  await expect.poll(() => ends).toHaveLength(3);
  expect([...ends].sort()).toEqual(['given-up', 'written', 'written']);
  expect((await store.finished(webhook.id)).map(({ type }) => type).sort()).toEqual([
    'qr.created',
    'qr.updated',
  ]);
  await store.pool.query('ALTER TABLE webhook_deliveries DROP CONSTRAINT refusing');
  await store.pool.query('UPDATE webhook_queue SET due_at = now() WHERE webhook_id = $1', [webhook.id]);
  await expect.poll(() => store.finished(webhook.id)).toHaveLength(3);
  const again = idsOf(receiver).filter((id, at, all) => all.indexOf(id) !== at);
  expect(again).toHaveLength(1);
});

test('a delivery of a killed control plane is sent by another one, under its id, and is in the log', async () => {
  const receiver = await startReceiver(hanging);
  const webhook = await newWebhook(receiver.url);
  const key = deriveKey(secretKey, secretKeyPurpose);
  const sealed = createSealedSecrets(key).seal(webhook.id, webhook.secret);
  await store.pool.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [webhook.id, sealed]);
  const first = await startPlaneProcess('control-plane/main.ts', {
    DATABASE_URL: store.databaseUrl,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  await first.ready();
  await store.emit(
    outbox,
    [1, 2, 3].map(() => store.event('qr.deleted', webhook.workspaceId)),
  );
  await expect.poll(() => receiver.received).toHaveLength(3);
  await first.kill();
  const leased = await store.queued(webhook.id);
  expect(leased.map(({ lease }) => lease !== null)).toEqual([true, true, true]);
  receiver.answer = answering(204);
  startDelivering(store.databaseUrl, key);
  // Ends the leases, which otherwise last a minute.
  await store.pool.query('UPDATE webhook_queue SET due_at = now() WHERE webhook_id = $1', [webhook.id]);
  await expect.poll(() => store.finished(webhook.id)).toHaveLength(3);
  const ids = leased.map(({ id }) => id).sort();
  expect((await store.finished(webhook.id)).map(({ id }) => id).sort()).toEqual(ids);
  expect(idsOf(receiver).sort()).toEqual([...ids, ...ids].sort());
});
