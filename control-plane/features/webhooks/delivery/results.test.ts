/** Results of processes that have lost the lease, with a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createOutbox } from '../../../framework/outbox.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { finishDeliveries } from '../testing/finished.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { type Claimed, claim } from './claim.ts';
import { type Result, releaseBrokenOff, writeResults } from './results.ts';

let store: WebhookStore;
const outbox = createOutbox([createFanOut()]);
beforeAll(async () => {
  store = await openWebhookStore();
});

const claimOf = async ({ id }: TestWebhook): Promise<Claimed> =>
  (await claim(store.pool, [{ webhookId: id, count: 1 }]))[0]!;

/** A delivery whose lease has ended, and that another process has claimed. */
const lose = async () => {
  const webhook = await store.webhook({ workspaceId: await store.workspace() });
  await store.emit(outbox, [store.event('qr.deleted', webhook.workspaceId)]);
  const delivery = await claimOf(webhook);
  await store.pool.query('UPDATE webhook_queue SET due_at = now() WHERE id = $1', [delivery.id]);
  const { lease } = await claimOf(webhook);
  expect(lease).not.toBe(delivery.lease);
  return { webhook, delivery };
};

const resultOf = (delivery: Claimed, outcome: Result['outcome']): Result => ({
  delivery,
  at: new Date(),
  attempted: { status: 500, durationMs: 7, error: null, response: 'no', retryAfterSeconds: 0 },
  outcome,
  delaySeconds: 30,
});

describe('a process that has lost the lease', () => {
  test.each(['retry', 'failed', 'succeeded'] as const)('decides nothing by %s', async (outcome) => {
    const { webhook, delivery } = await lose();
    const before = await store.queued(webhook.id);
    const results = [resultOf(delivery, outcome)];
    expect(await writeResults(store.pool, results)).toEqual(results);
    expect(await store.queued(webhook.id)).toEqual([
      { ...before[0], attempts: [expect.objectContaining({ status: 500, response: 'no' })] },
    ]);
    expect(await store.finished(webhook.id)).toEqual([]);
  });

  test('releases nothing when it is stopped, and its attempt is logged', async () => {
    const { webhook, delivery } = await lose();
    const before = await store.queued(webhook.id);
    await releaseBrokenOff(store.pool, resultOf(delivery, 'retry'));
    expect(await store.queued(webhook.id)).toEqual([
      { ...before[0], attempts: [expect.objectContaining({ response: 'no' })] },
    ]);
  });

  test.each([
    ['while the delivery is in the queue', false],
    ['when the delivery is in the log', true],
  ])('has its attempt noted once, however often it is written: %s', async (_, isFinished) => {
    const { webhook, delivery } = await lose();
    if (isFinished) await finishDeliveries(store.pool, webhook.id, 'succeeded');
    const results = [resultOf(delivery, 'retry')];
    for (let times = 0; times < 3; times++) await writeResults(store.pool, results);
    const rows = isFinished ? await store.finished(webhook.id) : await store.queued(webhook.id);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.attempts.filter(({ response }) => response === 'no')).toHaveLength(1);
  });
});
