/** A delivery whose process is being stopped, with a real PostgreSQL and a real receiver. */
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { createSealedSecrets } from '../queue/secrets.ts';
import { answering, startReceiver } from '../testing/receiver.ts';
import { openWebhookStore, secretsKey, type WebhookStore } from '../testing/webhook-store.ts';
import { claim } from './claim.ts';
import { createDeliver } from './deliver.ts';
import { findDueWebhooks } from './due-webhooks.ts';
import { keysOf, loadEvents } from './envelope.ts';
import { createSender, type Sender } from './send.ts';
import { createWriter } from './writer.ts';

const logger = createLogger('test', 'silent');
const outbox = createOutbox([createFanOut()]);
let store: WebhookStore;
beforeAll(async () => {
  store = await openWebhookStore();
});

/** Sends one delivery. @returns the id of its webhook */
const deliverOne = async (url: string, breakingOff: AbortSignal, sender: Sender): Promise<string> => {
  const { id, workspaceId } = await store.webhook({ workspaceId: await store.workspace(), url });
  await store.emit(outbox, [store.event('qr.deleted', workspaceId)]);
  const { pool } = store;
  const webhook = (await findDueWebhooks(pool, '')).webhooks.find((one) => one.id === id)!;
  const [delivery] = await claim(pool, [{ webhookId: id, count: 1 }]);
  const writer = createWriter({ pool, outbox, logger, onEnded: () => {}, onPaused: () => {} });
  const secrets = createSealedSecrets(secretsKey);
  const deliver = createDeliver({ pool, secrets, sender, writer, logger, onAttempt: () => {} }, breakingOff);
  await deliver(
    {
      webhook,
      delivery: delivery!,
      events: await loadEvents(pool, keysOf(delivery!)),
      slot: { end: () => {}, free: () => {} },
      claimedMs: performance.now(),
    },
    () => {},
  );
  return id;
};

test('an answer that is complete when the process is stopped is stored, and counts', async () => {
  const receiver = await startReceiver(answering(500, {}, 'not now'));
  const stopping = new AbortController();
  const sender = createSender({ allowPrivate: true });
  const id = await deliverOne(receiver.url, stopping.signal, {
    ...sender,
    async send(...request) {
      const attempted = await sender.send(...request);
      stopping.abort();
      return attempted;
    },
  });
  expect(await store.queued(id)).toMatchObject([
    { lease: null, round_attempts: 1, attempts: [{ status: 500, error: null, response: 'not now' }] },
  ]);
  await sender.close();
});

test('a delivery not yet sent when the process is stopped is released without an attempt', async () => {
  const receiver = await startReceiver();
  const sender = createSender({ allowPrivate: true });
  const id = await deliverOne(receiver.url, AbortSignal.abort(), sender);
  expect(await store.queued(id)).toMatchObject([{ lease: null, round_attempts: 0, attempts: [] }]);
  expect(receiver.received).toEqual([]);
  await sender.close();
});
