/** Removes everything after 30 days, and nothing before. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { createReplay } from '../replays/store.ts';
import { finishDeliveries } from '../testing/finished.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { removeExpired } from './expired.ts';

const dayMs = 86_400_000;
const outbox = createOutbox([createFanOut()]);
let store: WebhookStore;
let webhook: TestWebhook;

beforeAll(async () => {
  store = await openWebhookStore();
  webhook = await store.webhook({ workspaceId: await store.workspace() });
});

const partitions = async (): Promise<string[]> => {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent IN ('webhook_events'::regclass, 'webhook_deliveries'::regclass) ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

const nameOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

const never = (partition: string) => {
  throw new Error(`${partition} is busy`);
};

describe('partitions', () => {
  test('of days that ended 30 days ago are dropped, the others stay', async () => {
    // The middle of a day, so that no day begins or ends during the test.
    const now = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
    const [kept, gone] = [nameOf(now - 30 * dayMs), nameOf(now - 31 * dayMs)];
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    await store.pool.query('SELECT make_webhook_partitions($1, $2)', [
      day(now - 33 * dayMs),
      day(now - 29 * dayMs),
    ]);
    const before = await partitions();
    expect(before).toContain(`webhook_events_${gone}`);
    await removeExpired(store.pool, never, now);
    const dropped = before.filter((name) => Number(name.slice(-8)) <= Number(gone));
    expect(dropped).toHaveLength(6);
    expect(await partitions()).toEqual(before.filter((name) => !dropped.includes(name)));
    expect(await partitions()).toContain(`webhook_deliveries_${kept}`);
  });

  test('that are in use are left to the next run, and block others only briefly', async () => {
    const now = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
    const old = new Date(now - 40 * dayMs).toISOString().slice(0, 10);
    await store.pool.query('SELECT make_webhook_partitions($1, $1)', [old]);
    const name = `webhook_events_${old.replaceAll('-', '')}`;
    const busy: string[] = [];
    await inTransaction(store.pool, async (tx) => {
      await tx.query(`SELECT FROM ${name}`);
      await removeExpired(store.pool, (partition) => busy.push(partition), now);
    });
    expect(busy).toEqual([name]);
    expect(await partitions()).toContain(name);
    await removeExpired(store.pool, never, now);
    expect(await partitions()).not.toContain(name);
  });
});

test('rows of days without a partition, old waiting deliveries, and ended replays are deleted', async () => {
  await store.emit(outbox, [store.event('qr.created', webhook.workspaceId)]);
  await store.emit(outbox, [store.event('qr.created', webhook.workspaceId)]);
  const [first] = await store.queued(webhook.id);
  await finishDeliveries(store.pool, webhook.id, 'failed', [first!.id]);
  const range = { from: new Date(0), to: new Date(), which: 'all' } as const;
  await inTransaction(store.pool, (tx) =>
    createReplay(tx, { ...range, webhookId: webhook.id, workspaceId: webhook.workspaceId }),
  );
  const ended = `UPDATE jobs SET status = 'completed', completed_at = now() - interval '31 days'`;
  for (const table of ['webhook_events', 'webhook_deliveries', 'webhook_queue'])
    await store.pool.query(
      `UPDATE ${table} SET placed_at = now() - interval '50 days' WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT 1)`,
    );
  const counts = async () =>
    Promise.all(
      ['webhook_events', 'webhook_deliveries', 'webhook_queue', 'webhook_replays'].map(
        async (table) => (await store.pool.query(`SELECT FROM ${table}`)).rowCount,
      ),
    );
  expect(await counts()).toEqual([2, 1, 1, 1]);
  await removeExpired(store.pool, never);
  expect(await counts()).toEqual([1, 0, 0, 1]);
  await store.pool.query(ended);
  await removeExpired(store.pool, never);
  expect(await counts()).toEqual([1, 0, 0, 0]);
});
