/** The queue's upkeep with a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { makePartitions } from './partitions.ts';
import { keepQueue } from './upkeep.ts';

let store: WebhookStore;
const outbox = createOutbox([createFanOut()]);
const limits = { waitingMax: 5, waitingLow: 3, sliceMax: 2 };

beforeAll(async () => {
  store = await openWebhookStore();
});

const newWebhook = async () => store.webhook({ workspaceId: await store.workspace() });

const emit = ({ workspaceId }: TestWebhook, count: number) =>
  store.emit(
    outbox,
    Array.from({ length: count }, () => store.event('qr.deleted', workspaceId)),
  );

const removeQueued = ({ id }: TestWebhook, count: number) =>
  store.pool.query(
    'DELETE FROM webhook_queue WHERE id IN (SELECT id FROM webhook_queue WHERE webhook_id = $1 LIMIT $2)',
    [id, count],
  );

const isOverflowing = async ({ id }: TestWebhook) => (await store.found(id)).overflowing_since !== null;

test('a webhook overflows if too many deliveries wait, until there are clearly fewer', async () => {
  const webhook = await newWebhook();
  await emit(webhook, 5);
  await keepQueue(store.pool, limits);
  expect(await isOverflowing(webhook)).toBe(false);
  await emit(webhook, 1);
  await keepQueue(store.pool, limits);
  const { overflowing_since: since } = await store.found(webhook.id);
  expect(since).not.toBeNull();
  await emit(webhook, 10);
  expect(await store.queued(webhook.id)).toHaveLength(6);
  await removeQueued(webhook, 3);
  await keepQueue(store.pool, limits);
  expect((await store.found(webhook.id)).overflowing_since).toEqual(since);
  await removeQueued(webhook, 1);
  await keepQueue(store.pool, limits);
  expect(await isOverflowing(webhook)).toBe(false);
});

test('a webhook stops overflowing when nothing waits', async () => {
  const webhook = await newWebhook();
  await emit(webhook, 6);
  await keepQueue(store.pool, limits);
  expect(await isOverflowing(webhook)).toBe(true);
  await removeQueued(webhook, 6);
  await keepQueue(store.pool, limits);
  expect(await isOverflowing(webhook)).toBe(false);
});

test('the queue of a deleted webhook is removed, and no other', async () => {
  const [deleted, kept] = [await newWebhook(), await newWebhook()];
  for (const webhook of [deleted, kept]) await emit(webhook, 5);
  await store.pool.query('DELETE FROM webhooks WHERE id = $1', [deleted.id]);
  await keepQueue(store.pool, limits);
  expect(await store.queued(deleted.id)).toEqual([]);
  expect(await store.queued(kept.id)).toHaveLength(5);
});

describe('a clock that was set back leaves no delivery waiting for long', () => {
  const dueIn = async (change: string, values: readonly unknown[] = []) => {
    const webhook = await newWebhook();
    await emit(webhook, 1);
    await store.pool.query(`UPDATE webhook_queue SET ${change} WHERE webhook_id = $1`, [
      webhook.id,
      ...values,
    ]);
    await keepQueue(store.pool);
    const { rows } = await store.pool.query<{ due: boolean; lease: string | null }>(
      'SELECT due_at <= now() AS due, lease FROM webhook_queue WHERE webhook_id = $1',
      [webhook.id],
    );
    return rows[0];
  };

  test('one that is due later than any delay allows is due now', async () => {
    expect(await dueIn(`due_at = now() + interval '400 days', round_attempts = 3`)).toMatchObject({
      due: true,
    });
  });

  test('one that was never tried is due now', async () => {
    expect(await dueIn(`due_at = now() + interval '1 hour'`)).toMatchObject({ due: true });
  });

  test('one whose lease ends later than any lease can is due now, for every process', async () => {
    const change = `due_at = now() + interval '1 hour', round_attempts = 1, lease = gen_random_uuid()`;
    expect(await dueIn(change)).toEqual({ due: true, lease: null });
  });

  test('one that waits for its retry, or is under way, is left unchanged', async () => {
    expect(await dueIn(`due_at = now() + interval '6 hours 30 minutes', round_attempts = 5`)).toMatchObject({
      due: false,
    });
    const lease = '00000000-0000-4000-8000-000000000000';
    expect(await dueIn(`due_at = now() + interval '1 minute', lease = $2`, [lease])).toEqual({
      due: false,
      lease,
    });
  });
});

describe('partitions', () => {
  const list = async () =>
    (
      await store.pool.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' AND relname ~ '_\\d{8}$' ORDER BY 1`,
      )
    ).rows.map(({ name }) => name);

  test('of yesterday and the next seven days exist, and are created if missing', async () => {
    await makePartitions(store.pool);
    const before = await list();
    expect(before.length).toBeGreaterThanOrEqual(18);
    await store.pool.query(`DROP TABLE ${before.at(-1)}; DROP TABLE ${before.at(-3)}`);
    await Promise.all([makePartitions(store.pool), makePartitions(store.pool)]);
    expect(await list()).toEqual(before);
  });

  test('of a day that has rows in the default partition is not created, but the others are', async () => {
    const webhook = await newWebhook();
    await makePartitions(store.pool);
    const before = await list();
    const [events, later] = before.filter((name) => name.startsWith('webhook_events')).slice(-2);
    await store.pool.query(`DROP TABLE ${events}; DROP TABLE ${later}`);
    const day = events!.slice(-8).replace(/(....)(..)(..)/, '$1-$2-$3T12:00:00Z');
    await store.pool.query(
      `INSERT INTO webhook_events (id, placed_at, workspace_id, type, occurred_at, data) VALUES ('evt_1', $1, $2, 'a', now(), '{}')`,
      [day, webhook.workspaceId],
    );
    await makePartitions(store.pool);
    expect(await list()).toEqual(before.filter((name) => name !== events));
  });
});
