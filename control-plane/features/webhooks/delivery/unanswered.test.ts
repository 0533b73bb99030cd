/** Limits on requests to servers that have never answered 2xx, with a real PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { updateWebhook } from '../subscriptions/store.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { claim } from './claim.ts';
import { findDueWebhooks } from './due-webhooks.ts';
import { pauseFailing } from './failing.ts';
import { createWriter } from './writer.ts';

const logger = createLogger('test', 'silent');
const outbox = createOutbox([createFanOut()]);
let store: WebhookStore;
beforeAll(async () => {
  store = await openWebhookStore();
});

const newWebhook = async (answered = false, workspaceId?: string): Promise<TestWebhook> => {
  const webhook = await store.webhook({
    workspaceId: workspaceId ?? (await store.workspace()),
    events: ['qr.deleted'],
    answered,
  });
  await store.emit(outbox, [store.event('qr.deleted', webhook.workspaceId)]);
  return webhook;
};

const dueOf = async ({ id }: TestWebhook) =>
  (await findDueWebhooks(store.pool, '')).webhooks.find((webhook) => webhook.id === id);

/** One attempt of a due webhook, with this answer. @param meanwhile happens during the attempt */
const attempt = async (one: TestWebhook, status: number, meanwhile = async () => {}): Promise<void> => {
  await store.pool.query('UPDATE webhook_queue SET due_at = now() WHERE webhook_id = $1', [one.id]);
  const webhook = (await dueOf(one))!;
  const [delivery] = await claim(store.pool, [{ webhookId: one.id, count: 1 }]);
  await meanwhile();
  const writer = createWriter({ pool: store.pool, outbox, logger, onEnded: () => {}, onPaused: () => {} });
  await writer.write({
    delivery: delivery!,
    at: new Date(),
    attempted: { status, durationMs: 7, error: null, response: '', retryAfterSeconds: 0 },
    ...(status < 300 ? { outcome: 'succeeded', delaySeconds: 0 } : { outcome: 'retry', delaySeconds: 0 }),
    webhook,
    claimedMs: performance.now(),
  });
};

/** Sets the count of attempts on the day this many days ago, the last of them this many minutes ago. */
const setAttempts = (workspaceId: string, attempts: number, { days = 0, minutes = 0 } = {}) =>
  store.pool.query(
    `INSERT INTO webhook_unanswered_attempts
     VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $3::integer, $2, now() - make_interval(mins => $4))
     ON CONFLICT (workspace_id) DO UPDATE SET attempts = excluded.attempts, day = excluded.day, last_at = excluded.last_at`,
    [workspaceId, attempts, days, minutes],
  );

/** Waits if it is nearly midnight, as attempts are counted per day. */
const awayFromMidnight = async (): Promise<void> => {
  const toMidnightMs = 86_400_000 - (Date.now() % 86_400_000);
  if (toMidnightMs < 30_000) await sleep(toMidnightMs + 1_000);
};

const attemptsOf = async (workspaceId: string) =>
  (
    await store.pool.query<{ attempts: number }>(
      'SELECT attempts FROM webhook_unanswered_attempts WHERE workspace_id = $1',
      [workspaceId],
    )
  ).rows[0]?.attempts;

describe('URLs that have never answered 2xx', () => {
  test('are tried 1,000 times a day by a workspace altogether; then their deliveries wait', async () => {
    const [tried, other] = [await newWebhook(), await newWebhook()];
    const same = await newWebhook(false, tried.workspaceId);
    const answering = await newWebhook(true, tried.workspaceId);
    await awayFromMidnight();
    await setAttempts(tried.workspaceId, 998);
    await attempt(tried, 500);
    expect(await attemptsOf(tried.workspaceId)).toBe(999);
    await attempt(same, 404);
    expect(await attemptsOf(tried.workspaceId)).toBe(1_000);
    for (const webhook of [tried, same]) expect(await dueOf(webhook)).toBeUndefined();
    for (const webhook of [answering, other]) expect(await dueOf(webhook)).toBeDefined();
    await attempt(answering, 500);
    expect(await attemptsOf(tried.workspaceId)).toBe(1_000);

    await setAttempts(tried.workspaceId, 1_000, { days: 1 });
    await attempt(tried, 500);
    expect(await attemptsOf(tried.workspaceId)).toBe(1);
  });

  test('are tried again 15 minutes after the last of the 1,000, and once more 15 minutes after that', async () => {
    const webhook = await newWebhook();
    await awayFromMidnight();
    await setAttempts(webhook.workspaceId, 1_000, { minutes: 14 });
    expect(await dueOf(webhook)).toBeUndefined();
    await setAttempts(webhook.workspaceId, 1_000, { minutes: 16 });
    await attempt(webhook, 500);
    expect(await dueOf(webhook)).toBeUndefined();
  });

  test('are unlimited from their first 2xx on, and a new URL starts over', async () => {
    const webhook = await newWebhook();
    await attempt(webhook, 204);
    expect((await store.found(webhook.id)).answered_at).not.toBeNull();
    const change = { url: 'http://127.0.0.1:10/' };
    await inTransaction(store.pool, (tx) => updateWebhook(tx, webhook.workspaceId, webhook.id, change));
    expect((await store.found(webhook.id)).answered_at).toBeNull();
  });

  test('stay limited if it was the previous URL that answered', async () => {
    const webhook = await newWebhook();
    const change = { url: 'http://127.0.0.1:10/' };
    await attempt(webhook, 204, async () => {
      await inTransaction(store.pool, (tx) => updateWebhook(tx, webhook.workspaceId, webhook.id, change));
    });
    expect((await store.found(webhook.id)).answered_at).toBeNull();
  });

  test.each([
    ['25 hours', 1],
    ['23 hours', 0],
  ])('that have failed for %s: %i of them is paused', async (since, paused) => {
    const webhook = await newWebhook();
    await store.pool.query(
      `UPDATE webhooks SET failing_since = now() - $2::interval, last_failed_at = now() - interval '2 hours' WHERE id = $1`,
      [webhook.id, since],
    );
    expect((await dueOf(webhook))!.pausable).toBe(paused === 1);
    expect(await inTransaction(store.pool, (tx) => pauseFailing(tx, outbox, [webhook.id], []))).toBe(paused);
  });
});
