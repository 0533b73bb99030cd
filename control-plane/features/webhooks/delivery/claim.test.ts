/** Claims by processes that share a queue, with a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { claim, release } from './claim.ts';

let store: WebhookStore;
const outbox = createOutbox([createFanOut()]);
beforeAll(async () => {
  store = await openWebhookStore();
});

/** A webhook with this many due deliveries. */
const newWebhook = async (deliveries: number): Promise<TestWebhook> => {
  const webhook = await store.webhook({ workspaceId: await store.workspace() });
  const events = Array.from({ length: deliveries }, () => store.event('qr.deleted', webhook.workspaceId));
  await store.emit(outbox, events);
  return webhook;
};

test('concurrent claims take different deliveries, and neither waits for the other', async () => {
  const webhook = await newWebhook(4);
  const wanted = [{ webhookId: webhook.id, count: 2 }];
  const claimAsAnother = (tx: Transaction) => claim(tx, wanted);
  const [first, second] = await inTransaction(store.pool, async (one) => {
    const taken = await claimAsAnother(one);
    const others = await inTransaction(store.pool, async (other) => {
      // A claim that waits would fail: the first transaction outlasts this timeout.
      await other.query(`SET LOCAL lock_timeout = '3s'`);
      return claimAsAnother(other);
    });
    return [taken, others];
  });
  expect([first!.length, second!.length]).toEqual([2, 2]);
  expect(new Set([...first!, ...second!].map(({ id }) => id)).size).toBe(4);
});

test('a process that has lost the lease releases nothing', async () => {
  const webhook = await newWebhook(1);
  const claimed = await claim(store.pool, [{ webhookId: webhook.id, count: 1 }]);
  await store.pool.query('UPDATE webhook_queue SET lease = $2 WHERE webhook_id = $1', [
    webhook.id,
    randomUUID(),
  ]);
  const before = await store.queued(webhook.id);
  await release(store.pool, claimed);
  expect(await store.queued(webhook.id)).toEqual(before);
});
