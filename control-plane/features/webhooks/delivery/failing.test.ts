/** When a failing webhook is paused, with a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { findDueWebhooks } from './due-webhooks.ts';
import { noteFailing, noteRecovered, pauseFailing } from './failing.ts';

let store: WebhookStore;
const outbox = createOutbox([createFanOut()]);
beforeAll(async () => {
  store = await openWebhookStore();
});

/** A webhook that has been failing since one time, with its last failure at another. */
const failing = async (since: string, last: string): Promise<TestWebhook> => {
  const webhook = await store.webhook({ workspaceId: await store.workspace() });
  await store.pool.query(
    'UPDATE webhooks SET failing_since = now() - $2::interval, last_failed_at = now() - $3::interval WHERE id = $1',
    [webhook.id, since, last],
  );
  return webhook;
};

const pause = (webhook: TestWebhook, gone: readonly string[] = []) =>
  inTransaction(store.pool, (tx) => pauseFailing(tx, outbox, [webhook.id], gone));

test('a webhook that has failed for 5 days is paused, and its workspace is notified by an event', async () => {
  const webhook = await failing('5 days 1 minute', '3 hours');
  const other = await store.webhook({ workspaceId: webhook.workspaceId, events: ['webhook.paused'] });
  expect(await pause(webhook)).toBe(1);
  const found = await store.found(webhook.id);
  expect(found).toMatchObject({ status: 'paused', paused_reason: 'failing' });
  expect(await store.queued(other.id)).toMatchObject([{ type: 'webhook.paused' }]);
  expect(await store.queued(webhook.id)).toMatchObject([{ type: 'webhook.paused' }]);
  expect((await store.stored(webhook.workspaceId))[0].data).toEqual({
    webhookId: webhook.id,
    url: 'http://127.0.0.1:9/',
    failingSince: found.failing_since!.toISOString(),
  });
  expect(await pause(webhook)).toBe(0);
});

describe('a webhook is not paused', () => {
  test.each([
    ['that has failed for less', '4 days 23 hours', '3 hours'],
    ['whose last failure was more than a day before this one', '10 days', '25 hours'],
  ])('%s', async (_, since, last) => {
    const webhook = await failing(since, last);
    expect(await pause(webhook)).toBe(0);
    expect(await store.found(webhook.id)).toMatchObject({ status: 'active' });
  });

  test('a second time if its owner has paused it', async () => {
    const webhook = await failing('6 days', '1 hour');
    await store.pool.query(
      `UPDATE webhooks SET status = 'paused', paused_reason = 'owner', paused_at = now() WHERE id = $1`,
      [webhook.id],
    );
    expect(await pause(webhook)).toBe(0);
    expect(await store.found(webhook.id)).toMatchObject({ paused_reason: 'owner' });
  });
});

test('a webhook whose receiver says that it is gone is paused at once', async () => {
  const webhook = await store.webhook({ workspaceId: await store.workspace() });
  await store.webhook({ workspaceId: webhook.workspaceId, events: ['webhook.paused'] });
  expect(await pause(webhook, [webhook.id])).toBe(1);
  await noteFailing(store.pool, [webhook.id]);
  const found = await store.found(webhook.id);
  expect(found).toMatchObject({ status: 'paused', paused_reason: 'failing' });
  expect(found.failing_since).toEqual(found.paused_at);
  expect((await store.stored(webhook.workspaceId))[0].data.failingSince).toBe(found.paused_at!.toISOString());
});

describe('a stored failure', () => {
  test('begins a failing period, or continues one', async () => {
    const webhook = await store.webhook({ workspaceId: await store.workspace() });
    await noteFailing(store.pool, [webhook.id]);
    expect((await store.found(webhook.id)).failing_since).not.toBeNull();
    await store.pool.query(
      `UPDATE webhooks SET failing_since = now() - interval '3 hours', last_failed_at = now() - interval '2 hours' WHERE id = $1`,
      [webhook.id],
    );
    const first = await store.found(webhook.id);
    await noteFailing(store.pool, [webhook.id]);
    const second = await store.found(webhook.id);
    expect(second.failing_since).toEqual(first.failing_since);
    expect(second.last_failed_at!.getTime()).toBeGreaterThan(first.last_failed_at!.getTime());
  });

  test('begins a new period after a week without failures, and if a clock was set back', async () => {
    for (const [since, last] of [
      ['300 days', '8 days'],
      ['-1 hour', '-1 hour'],
    ] as const) {
      const webhook = await failing(since, last);
      const before = await store.found(webhook.id);
      await noteFailing(store.pool, [webhook.id]);
      const after = await store.found(webhook.id);
      expect(after.failing_since).not.toEqual(before.failing_since);
      expect(after.failing_since).toEqual(after.last_failed_at);
    }
  });

  test('is forgotten with the next success', async () => {
    const webhook = await failing('4 days', '1 hour');
    await noteRecovered(store.pool, [webhook.id]);
    expect(await store.found(webhook.id)).toMatchObject({ failing_since: null, last_failed_at: null });
  });
});

test('a claim says whether a failure should be stored, and whether it may pause the webhook', async () => {
  const healthy = await store.webhook({ workspaceId: await store.workspace() });
  const recent = await failing('1 hour', '1 minute');
  const long = await failing('6 days', '2 hours');
  for (const { workspaceId } of [healthy, recent, long])
    await store.emit(outbox, [store.event('qr.deleted', workspaceId)]);
  const { webhooks, next } = await findDueWebhooks(store.pool, '');
  expect(next).toBe('');
  const found = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  expect(found.get(healthy.id)).toMatchObject({ failing: false, noteFailure: true, pausable: false });
  expect(found.get(recent.id)).toMatchObject({ failing: true, noteFailure: false, pausable: false });
  expect(found.get(long.id)).toMatchObject({ failing: true, noteFailure: true, pausable: true });
});

test('a failure is stored if the last one is in the future because a clock ran ahead: the webhook is paused in time', async () => {
  const webhook = await failing('-400 days', '-400 days');
  await store.emit(outbox, [store.event('qr.deleted', webhook.workspaceId)]);
  const claimed = async () =>
    (await findDueWebhooks(store.pool, '')).webhooks.find(({ id }) => id === webhook.id);
  expect(await claimed()).toMatchObject({ failing: true, noteFailure: true, pausable: false });
  await noteFailing(store.pool, [webhook.id]);
  expect(await claimed()).toMatchObject({ failing: true, noteFailure: false, pausable: false });
  const { failing_since, last_failed_at } = await store.found(webhook.id);
  expect(failing_since!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(last_failed_at).toEqual(failing_since);
});

test('webhooks are found page by page, each once, even if there are too many for one page', async () => {
  const fresh = await openWebhookStore();
  const workspaceId = await fresh.workspace();
  await fresh.pool.query(
    `INSERT INTO webhooks (id, workspace_id, url, events, secret)
       SELECT 'wh_' || n, $1, 'http://127.0.0.1:9/', '{*}', '' FROM generate_series(1, 300) n`,
    [workspaceId],
  );
  await fresh.emit(outbox, [fresh.event('qr.deleted', workspaceId), fresh.event('qr.deleted', workspaceId)]);
  const first = await findDueWebhooks(fresh.pool, '');
  const second = await findDueWebhooks(fresh.pool, first.next);
  expect(first.webhooks).toHaveLength(256);
  expect(second.next).toBe('');
  expect(new Set([...first.webhooks, ...second.webhooks].map(({ id }) => id)).size).toBe(300);
});
