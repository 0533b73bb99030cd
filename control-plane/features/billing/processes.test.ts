/** Two processes that get the same events at once, one of them killed later: each event has its effect once. */
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../../../deploy/testing/index.ts';
import { createPool } from '../../platform/db/pool.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { startPlaneProcess } from '../../testing/plane-process.ts';
import { createWorkspace } from '../tenancy/store.ts';
import { recordedTypes, termsNow } from './testing/provider-events.ts';
import { recordedTable, recordingFeatures } from './testing/recording-plane.ts';
import {
  eventOf,
  invoiceOf,
  newId,
  outcomeOf,
  send,
  stripeEnvironment,
  subscriptionOf,
} from './testing/stripe.ts';

const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
afterFile(() => pool.end());
await pool.query(recordedTable);
const [survivor, victim] = await Promise.all([
  startTestControlPlane({
    databaseUrl,
    clickhouseUrl,
    features: recordingFeatures,
    environment: stripeEnvironment,
  }),
  startPlaneProcess('control-plane/features/billing/testing/recording-plane.ts', {
    ...stripeEnvironment,
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouseUrl,
  }),
]);
await victim.ready();

const customer = async () => {
  const workspace = await createWorkspace(pool, 'test', 'free');
  const id = newId('sub');
  return { ...workspace, id, metadata: { workspaceId: workspace.workspaceId } };
};

test('a plan received by one process is in effect in the other before that one’s cache expires', async () => {
  const { apiKey, id, metadata } = await customer();
  const makePage = () =>
    victim
      .callWith(apiKey)('POST', '/api/qr/landing-pages', { name: 'x' })
      .then(({ status }) => status);
  expect(await makePage()).toBe(403);
  const event = eventOf(
    'customer.subscription.created',
    subscriptionOf(id, 'active', 'price_growth', { metadata }),
  );
  expect(await outcomeOf(survivor.url, event)).toBe('applied');
  // A process that is not notified would use its cached plan for ten seconds.
  // Five requests a second are allowed on Free.
  await expect.poll(makePage, { timeout: 9_000, interval: 250 }).toBe(201);
});

test('an event sent to both processes at once has its effect once', async () => {
  const { workspaceId, id, metadata } = await customer();
  const begun = eventOf(
    'customer.subscription.created',
    subscriptionOf(id, 'active', 'price_growth', { metadata }),
    60,
  );
  const paid = eventOf('invoice.paid', invoiceOf(id));
  const again = { ...paid, id: newId('evt'), type: 'invoice.payment_succeeded' };
  const both = [survivor.url, victim.url];
  const events = [begun, paid, again].flatMap((event) =>
    both.flatMap((url) => [outcomeOf(url, event), outcomeOf(url, event)]),
  );
  const outcomes = await Promise.all(events);
  expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(10);
  expect((await recordedTypes(pool, workspaceId)).sort()).toEqual(['activated', 'renewed']);
});

test('two Stripe subscriptions for one of ours, reported at the same time, result in the larger plan', async () => {
  for (let round = 0; round < 4; round++) {
    const { workspaceId, subscriptionId, metadata } = await customer();
    const begin = (url: string, price: string) =>
      outcomeOf(
        url,
        eventOf('customer.subscription.created', subscriptionOf(newId('sub'), 'active', price, { metadata })),
      );
    await Promise.all([begin(survivor.url, 'price_starter'), begin(victim.url, 'price_business')]);
    expect(await termsNow(pool, subscriptionId)).toBe('business active');
    expect((await recordedTypes(pool, workspaceId))[0]).toBe('activated');
  }
});

test('a refund and the link of its customer, received at the same time, find each other', async () => {
  for (let round = 0; round < 4; round++) {
    const { workspaceId, id, metadata } = await customer();
    const refund = {
      id: newId('ch'),
      amount: 5,
      amount_refunded: 5,
      currency: 'eur',
      customer: `cus_of_${id}`,
    };
    await Promise.all([
      outcomeOf(victim.url, eventOf('charge.refunded', refund)),
      outcomeOf(
        survivor.url,
        eventOf('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth', { metadata })),
      ),
    ]);
    expect((await recordedTypes(pool, workspaceId)).sort()).toEqual(['activated', 'refunded']);
  }
});

test('events in progress in a killed process have their effect once when they are sent again', async () => {
  const customers = await Promise.all(Array.from({ length: 8 }, customer));
  const events = customers.flatMap(({ id, metadata }) => [
    eventOf('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth', { metadata }), 60),
    eventOf('invoice.paid', invoiceOf(id)),
  ]);
  let answered = 0;
  const first = events.map((event) =>
    send(victim.url, event).then(
      () => {
        answered++;
      },
      () => undefined,
    ),
  );
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(0);
  await victim.kill();
  await Promise.all(first);
  // PostgreSQL rolls back the killed process's transactions.
  await Promise.all(events.map((event) => outcomeOf(survivor.url, event)));
  for (const { workspaceId, subscriptionId } of customers) {
    expect((await recordedTypes(pool, workspaceId)).sort()).toEqual(['activated', 'renewed']);
    expect(await termsNow(pool, subscriptionId)).toBe('growth active');
  }
});
