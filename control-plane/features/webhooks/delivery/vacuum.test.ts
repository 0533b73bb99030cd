/** Vacuums of the queue with a real PostgreSQL. */
import { beforeAll, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { openWebhookStore, type WebhookStore } from '../testing/webhook-store.ts';
import { createQueueVacuum } from './vacuum.ts';

let store: WebhookStore;
const outbox = createOutbox([createFanOut()]);

beforeAll(async () => {
  store = await openWebhookStore();
});

/** Pages read when looking for the first delivery of the queue. */
const pagesOfLook = async (): Promise<number> => {
  const { rows } = await store.pool.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
     SELECT webhook_id FROM webhook_queue WHERE webhook_id > '' ORDER BY webhook_id, due_at LIMIT 1`,
  );
  const { Plan: plan } = rows[0]['QUERY PLAN'][0];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
};

test('while many deliveries finish, looking for due ones reads as few pages as at first', async () => {
  const webhook = await store.webhook({ workspaceId: await store.workspace() });
  await store.pool.query('ALTER TABLE webhook_queue SET (autovacuum_enabled = off)');
  const events = Array.from({ length: 3_000 }, () => store.event('qr.deleted', webhook.workspaceId));
  await store.emit(outbox, events);
  // While an older transaction could still see them, a read does not mark them as dead, which would shorten the next
  // one.
  await inTransaction(store.pool, async (older) => {
    await older.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await older.query('SELECT FROM webhook_queue LIMIT 1');
    await store.pool.query('DELETE FROM webhook_queue');
    expect(await pagesOfLook()).toBeGreaterThan(20);
  });
  const vacuums = async () => {
    const vacuum = createQueueVacuum(store.pool, { finishedMin: 3_000 });
    expect(vacuum.note(2_999)).toBeUndefined();
    await vacuum.note(1);
    const { rows } = await store.pool.query<{ done: number }>(
      `SELECT vacuum_count::integer AS done FROM pg_stat_user_tables WHERE relname = 'webhook_queue'`,
    );
    return rows[0]!.done;
  };
  // Autovacuum may process the table at the same time, and a vacuum skips a table that is locked.
  await expect.poll(vacuums, { interval: 500 }).toBeGreaterThan(0);
  expect(await pagesOfLook()).toBeLessThan(20);
});

test('one vacuum runs at a time, and the next one waits for twenty times as long as it took', async () => {
  let now = 0;
  const vacuum = createQueueVacuum(store.pool, { finishedMin: 1, nowMs: () => now });
  const first = vacuum.note(1);
  expect(first).toBeDefined();
  expect(vacuum.note(1)).toBeUndefined();
  now = 1_000;
  await first;
  now = 20_999;
  expect(vacuum.note(1)).toBeUndefined();
  now = 21_000;
  const second = vacuum.note(1);
  expect(second).toBeDefined();
  await second;
  now = 25_999;
  expect(vacuum.note(1)).toBeUndefined();
});
