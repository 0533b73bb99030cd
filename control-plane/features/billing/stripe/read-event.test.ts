/** The fields read from events, in the versions of Stripe's API. */
import { describe, expect, test } from 'vitest';
import type { ProviderEvent } from '../provider-event.ts';
import { readStripeEvent } from './read-event.ts';

const event = (type: string, object: object, previous?: object) => ({
  id: 'evt_1',
  type,
  created: 1_777_896_000,
  api_version: '2026-10-28.endive',
  data: { object, previous_attributes: previous },
});

const readOf = (type: string, object: object, previous?: object): ProviderEvent => {
  const reading = readStripeEvent(event(type, object, previous));
  if (reading.kind !== 'read') throw new Error(JSON.stringify(reading));
  return reading.event;
};

const price = { id: 'price_1', product: 'prod_1', lookup_key: 'growth-monthly' };
const common = { id: 'sub_1', customer: 'cus_1', status: 'active', metadata: { workspaceId: 'ws_1' } };

describe('a subscription', () => {
  const read = {
    providerSubscription: 'sub_1',
    customer: 'cus_1',
    named: 'ws_1',
    happenedAt: 1_777_896_000_000,
    snapshot: {
      status: 'active',
      previousStatus: 'past_due',
      prices: ['price_1', 'growth-monthly', 'prod_1'],
      currentPeriodStart: 1_000_000,
      currentPeriodEnd: 2_000_000,
      cancelAtPeriodEnd: true,
    },
  };
  const ending = { cancel_at_period_end: true };
  const past = { status: 'past_due' };

  test('has its period on its items since API 2025-03-31', () => {
    const items = { data: [{ price, current_period_start: 1_000, current_period_end: 2_000 }] };
    expect(readOf('customer.subscription.updated', { ...common, ...ending, items }, past)).toMatchObject(
      read,
    );
  });

  test('has its own period before', () => {
    const own = { current_period_start: 1_000, current_period_end: 2_000, items: { data: [{ price }] } };
    expect(readOf('customer.subscription.updated', { ...common, ...ending, ...own }, past)).toMatchObject(
      read,
    );
  });

  test('may have expanded objects instead of their ids, and a plan instead of a price', () => {
    const items = { data: [{ plan: { id: 'plan_1', product: { id: 'prod_1', name: 'Growth' } } }] };
    const full = { ...common, customer: { id: 'cus_1', email: 'a@example.com' }, items };
    expect(readOf('customer.subscription.created', full)).toMatchObject({
      customer: 'cus_1',
      snapshot: { isFirst: true, prices: ['plan_1', 'prod_1'], currentPeriodEnd: null },
    });
  });
});

describe('an invoice', () => {
  const lines = {
    data: [
      { period: { start: 900, end: 1_000 } },
      { period: { start: 1_000, end: 2_000 } },
      { period: null },
    ],
  };
  const rest = { id: 'in_1', billing_reason: 'subscription_cycle', lines };
  const renewed = {
    providerSubscription: 'sub_1',
    effect: 'renewed in_1',
    moment: { kind: 'renewed', periodStart: 1_000_000, periodEnd: 2_000_000 },
  };

  test('names its subscription in its parent since API 2025-03-31', () => {
    const parent = {
      subscription_details: { subscription: 'sub_1', metadata: { subscriptionId: 'sub_ours' } },
    };
    expect(readOf('invoice.paid', { ...rest, parent })).toMatchObject({ ...renewed, named: 'sub_ours' });
  });

  test('names it directly before', () => {
    const details = { subscription_details: { metadata: { workspaceId: 'ws_1' } } };
    expect(readOf('invoice.paid', { ...rest, subscription: 'sub_1', ...details })).toMatchObject({
      ...renewed,
      named: 'ws_1',
    });
  });

  test('renews nothing if it is the first one, or settles a change', () => {
    for (const billing_reason of ['subscription_create', 'subscription_update', 'manual'])
      expect(readOf('invoice.paid', { ...rest, subscription: 'sub_1', billing_reason }).moment).toBe(
        undefined,
      );
  });

  test('is ignored without a subscription', () => {
    expect(readStripeEvent(event('invoice.paid', rest))).toEqual({ kind: 'ignored' });
  });
});

test.each([
  ['customer.subscription.updated', { ...common, items: [] }, 'data.object.items'],
  ['customer.subscription.updated', { ...common, id: '\u0000', items: { data: [] } }, 'data.object.id'],
  [
    'customer.subscription.deleted',
    { ...common, status: 'x'.repeat(100), items: { data: [] } },
    'data.object.status',
  ],
  ['invoice.paid', { id: null, subscription: 'sub_1' }, 'data.object.id'],
  [
    'charge.refunded',
    { id: 'ch_1', amount: 5, amount_refunded: -5, currency: 'eur' },
    'data.object.amount_refunded',
  ],
  [
    'checkout.session.completed',
    { id: 'cs_1', mode: 'payment', payment_status: 'paid', metadata: { serializedCodes: '0' } },
    'metadata.serializedCodes',
  ],
])('%s without its required fields is unreadable, and the field is named', (type, object, field) => {
  expect(readStripeEvent(event(type, object))).toMatchObject({
    kind: 'unreadable',
    unreadable: { id: 'evt_1', type, problem: expect.stringContaining(field) },
  });
});
