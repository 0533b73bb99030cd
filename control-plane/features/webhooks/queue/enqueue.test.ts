/** Tests, batches and resends, with a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { batchType, enqueueBatches, enqueueTest, replay, resend } from './enqueue.ts';
import { createFanOut } from './fan-out.ts';

let store: WebhookStore;
let workspaceId: string;
let webhook: TestWebhook;
const outbox = createOutbox([createFanOut()]);

beforeAll(async () => {
  store = await openWebhookStore();
  workspaceId = await store.workspace();
  webhook = await store.webhook({ workspaceId });
});

/** Moves a delivery from the queue to the log, as failed. */
const finish = (deliveryId: string) =>
  store.pool.query(
    `WITH gone AS (DELETE FROM webhook_queue WHERE id = $1 RETURNING *)
     INSERT INTO webhook_deliveries (id, placed_at, webhook_id, event_id, type, batch, status, attempts, created_at)
     SELECT id, placed_at, webhook_id, event_id, type, batch, 'failed', $2, created_at FROM gone`,
    [deliveryId, JSON.stringify([{ at: new Date().toISOString(), status: 500 }])],
  );

const emitOne = async (to: TestWebhook) => {
  const event = store.event('qr.deleted', to.workspaceId);
  await store.emit(outbox, [event]);
  return { event, deliveryId: deliveryIdOf(to.id, event.id) };
};

test('a test delivery has an example event, which is only for its webhook', async () => {
  const other = await store.webhook({ workspaceId });
  const test = await inTransaction(store.pool, (tx) => enqueueTest(tx, webhook, 'form.submitted'));
  expect(test.deliveryId).toBe(deliveryIdOf(webhook.id, test.eventId));
  expect(await store.queued(webhook.id, other.id)).toMatchObject([
    { id: test.deliveryId, webhook_id: webhook.id, event_id: test.eventId, type: 'form.submitted' },
  ]);
  expect(await store.stored(workspaceId)).toMatchObject([
    { id: test.eventId, only_for: webhook.id, data: { formName: 'Example form' } },
  ]);
});

describe('a resent delivery', () => {
  test('begins another round under its id, and keeps its attempts', async () => {
    const { event, deliveryId } = await emitOne(webhook);
    await finish(deliveryId);
    expect(await resend(store.pool, webhook.id, deliveryId)).toBe('queued');
    const again = (await store.queued(webhook.id)).find(({ id }) => id === deliveryId);
    expect(again).toMatchObject({
      event_id: event.id,
      round_attempts: 0,
      attempts: [{ status: 500 }],
      lease: null,
    });
    expect(await store.finished(webhook.id)).toEqual([]);
  });

  test('that is not finished is due now, also if requested twice at once, but is unchanged during an attempt', async () => {
    const { deliveryId } = await emitOne(webhook);
    const change = (to: string) =>
      store.pool.query(`UPDATE webhook_queue SET ${to} WHERE id = $1`, [deliveryId]);
    const isDue = async () =>
      (await store.queued(webhook.id)).some(
        (row) => row.id === deliveryId && row.due_at.getTime() <= Date.now(),
      );
    await change(`due_at = now() + interval '1 hour'`);
    expect(await resend(store.pool, webhook.id, deliveryId)).toBe('queued');
    expect(await isDue()).toBe(true);
    await change(`due_at = now() + interval '1 minute', lease = gen_random_uuid()`);
    expect(await resend(store.pool, webhook.id, deliveryId)).toBe('beingSent');
    expect(await isDue()).toBe(false);
    await change('lease = NULL');
    await finish(deliveryId);
    const both = [1, 2].map(() => resend(store.pool, webhook.id, deliveryId));
    expect((await Promise.all(both)).sort()).toEqual(['queued', 'queued']);
  });

  test('of another webhook is unknown, and stays in the log', async () => {
    const other = await store.webhook({ workspaceId: await store.workspace() });
    const { deliveryId } = await emitOne(other);
    await finish(deliveryId);
    expect(await resend(store.pool, webhook.id, deliveryId)).toBe('unknown');
    expect(await store.finished(other.id)).toHaveLength(1);
  });
});

describe('a replay', () => {
  test('resends finished deliveries, sends never-sent events for the first time, and leaves queued ones', async () => {
    const workspace = await store.workspace();
    const own = await store.webhook({ workspaceId: workspace });
    const [finished, queued, missed] = [await emitOne(own), await emitOne(own), await emitOne(own)];
    await finish(finished.deliveryId);
    await store.pool.query('DELETE FROM webhook_queue WHERE id = $1', [missed.deliveryId]);
    const wanted = [finished, queued, missed].map(({ event }) => ({
      eventId: event.id,
      placedAt: event.occurredAt,
      type: event.type,
    }));
    expect(await replay(store.pool, own.id, wanted)).toBe(2);
    const rows = new Map((await store.queued(own.id)).map((row) => [row.id, row]));
    expect(rows.size).toBe(3);
    expect(rows.get(finished.deliveryId)!.attempts).toHaveLength(1);
    expect(rows.get(missed.deliveryId)!.attempts).toEqual([]);
    expect(await store.finished(own.id)).toEqual([]);
    expect(await replay(store.pool, own.id, wanted)).toBe(0);
  });
});

describe('a batch', () => {
  test('is one delivery with the keys of its events, however often it is added', async () => {
    const own = await store.webhook({ workspaceId: await store.workspace() });
    const placedAt = new Date();
    const batch = { webhookId: own.id, events: ['evt_1', 'evt_2'].map((id) => ({ id, placedAt })) };
    await inTransaction(store.pool, (tx) => enqueueBatches(tx, [batch, batch]));
    await inTransaction(store.pool, (tx) => enqueueBatches(tx, [batch]));
    const [row, ...others] = await store.queued(own.id);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ type: batchType, placed_at: placedAt });
    expect(row!.event_id).toMatch(/^evt_[1-9A-HJ-NP-Za-km-z]{16}$/);
    expect(row!.batch).toEqual(batch.events.map(({ id }) => ({ id, placedAt: placedAt.toISOString() })));
  });

  test('is replayed unchanged, and never created by a replay', async () => {
    const own = await store.webhook({ workspaceId: await store.workspace() });
    const placedAt = new Date();
    await inTransaction(store.pool, (tx) =>
      enqueueBatches(tx, [{ webhookId: own.id, events: [{ id: 'evt_1', placedAt }] }]),
    );
    const [row] = await store.queued(own.id);
    await finish(row!.id);
    const wanted = [{ eventId: row!.event_id, placedAt, type: batchType }];
    expect(await replay(store.pool, own.id, wanted)).toBe(1);
    expect((await store.queued(own.id))[0]!.batch).toHaveLength(1);
    await store.pool.query('DELETE FROM webhook_queue WHERE webhook_id = $1', [own.id]);
    expect(await replay(store.pool, own.id, wanted)).toBe(0);
  });
});
