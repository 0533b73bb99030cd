/** Results that cannot be written, with a real PostgreSQL. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { type Relay, startRelay } from '../../../../deploy/testing/relay.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { openWebhookStore, type WebhookStore } from '../testing/webhook-store.ts';
import { claim, leaseSeconds } from './claim.ts';
import { findDueWebhooks } from './due-webhooks.ts';
import { createWriter, type Ended, type WriteEnd } from './writer.ts';

const logger = createLogger('test', 'silent');
const outbox = createOutbox([createFanOut()]);
let store: WebhookStore;
let relay: Relay;
let pool: Pool;
beforeAll(async () => {
  store = await openWebhookStore();
  relay = await startRelay(store.databaseUrl);
  pool = createPool(relay.url, 'test-writer', logger, 2);
});
afterAll(() => pool.end());

/** The result of a delivery that was claimed this long ago. */
const endedAfter = async (seconds: number): Promise<Ended> => {
  const { id, workspaceId } = await store.webhook({ workspaceId: await store.workspace() });
  await store.emit(outbox, [store.event('qr.deleted', workspaceId)]);
  const { webhooks } = await findDueWebhooks(store.pool, '');
  const [delivery] = await claim(store.pool, [{ webhookId: id, count: 1 }]);
  return {
    delivery: delivery!,
    at: new Date(),
    attempted: { status: 204, durationMs: 7, error: null, response: '', retryAfterSeconds: 0 },
    outcome: 'succeeded',
    delaySeconds: 0,
    webhook: webhooks.find((webhook) => webhook.id === id)!,
    claimedMs: performance.now() - seconds * 1_000,
  };
};

test('a result waits for PostgreSQL until its lease ends, and is then given up', async () => {
  // Half of its lease is left.
  const [held, late] = [await endedAfter(leaseSeconds / 2), await endedAfter(leaseSeconds)];
  const ends: WriteEnd[] = [];
  const onEnded = (how: WriteEnd, times = 1) => void ends.push(...Array.from({ length: times }, () => how));
  const writer = createWriter({ pool, outbox, logger, onEnded, onPaused: () => {} });
  relay.cut();
  const writing = writer.write(held);
  await writer.write(late);
  expect(ends).toEqual(['given-up']);
  relay.mend();
  await writing;
  expect(ends).toEqual(['given-up', 'written']);
  expect(await store.finished(held.delivery.webhookId)).toMatchObject([{ status: 'succeeded' }]);
  expect(await store.queued(late.delivery.webhookId)).toMatchObject([
    { lease: late.delivery.lease, attempts: [] },
  ]);
});
