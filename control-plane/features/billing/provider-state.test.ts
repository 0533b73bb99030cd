/** Which of the provider's reports is newer if its clock shows the same second. */
import { describe, expect, test } from 'vitest';
import type { Snapshot } from './provider-event.ts';
import { effectiveOf, follow, isNewer, type ProviderSubscription, planOf } from './provider-state.ts';

const second = 1_777_896_000_000;

const snapshot = (status: string, more: Partial<Snapshot> = {}): Snapshot => ({
  status,
  previousStatus: undefined,
  isFirst: false,
  prices: [],
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  ...more,
});

describe('two reports of the same second', () => {
  test.each([
    ['the first report is never the newer one', 'active', snapshot('incomplete', { isFirst: true }), false],
    [
      'any complete state is newer than incomplete',
      'incomplete',
      snapshot('past_due', { previousStatus: 'active' }),
      true,
    ],
    [
      'the first report is the older one, even without other evidence',
      'past_due',
      snapshot('active', { isFirst: true }),
      false,
    ],
    ['incomplete is never newer', 'active', snapshot('incomplete'), false],
    [
      'a report that follows on the stored status is newer',
      'active',
      snapshot('past_due', { previousStatus: 'active' }),
      true,
    ],
    [
      'a report that follows on another status is older',
      'past_due',
      snapshot('active', { previousStatus: 'trialing' }),
      false,
    ],
    ['a report that changes something else is applied', 'active', snapshot('active'), true],
    ['the end is newer than anything', 'active', snapshot('canceled', { previousStatus: 'past_due' }), true],
    ['nothing is newer than the end', 'canceled', snapshot('active'), false],
  ])('%s', (_, status, event, expected) => {
    expect(isNewer({ status, reportedAt: second }, { snapshot: event, happenedAt: second })).toBe(expected);
  });
});

test('nothing is newer than the end, whatever the clock says', () => {
  const kept = { status: 'canceled', reportedAt: second };
  expect(isNewer(kept, { snapshot: snapshot('active'), happenedAt: second + 1_000 })).toBe(false);
});

const provided = (
  status: string,
  plan: ProviderSubscription['plan'],
  reportedAt = second,
): ProviderSubscription => ({
  ...snapshot(status),
  id: `sub_${status}`,
  subscriptionId: 'sub_ours',
  customer: null,
  plan,
  unpriced: plan === null,
  reportedAt,
});

test('of several subscriptions the largest plan is in effect, then a paid one', () => {
  const effective = (...linked: ProviderSubscription[]) => {
    const found = effectiveOf(linked);
    return found && `${found.plan} ${found.status}`;
  };
  expect(effective(provided('active', 'starter'), provided('past_due', 'growth'))).toBe('growth past_due');
  expect(effective(provided('past_due', 'growth'), provided('trialing', 'growth'))).toBe('growth active');
  for (const status of ['incomplete', 'incomplete_expired', 'unpaid', 'paused', 'canceled', 'constructor'])
    expect([status, effective(provided(status, 'growth'))]).toEqual([status, undefined]);
  expect(effective(provided('active', null))).toBe(undefined);
});

test('several prices give the largest of their plans', () => {
  const plans = new Map([['a', 'business'] as const, ['b', 'starter'] as const]);
  expect(planOf(['b', 'addon', 'a'], plans)).toBe('business');
  expect(planOf(['addon'], plans)).toBe(undefined);
});

test('a subscription cancelled by the operator stays cancelled, whatever the provider reports', () => {
  const active = {
    plan: 'growth',
    status: 'active',
    currentPeriodStart: null,
    currentPeriodEnd: null,
  } as const;
  const due = { ...active, status: 'past_due' } as const;
  for (const [before, after] of [
    [undefined, active],
    [active, due],
    [due, active],
    [active, { ...due, plan: 'business' }],
    [active, undefined],
  ] as const)
    expect(follow({ plan: 'growth', status: 'cancelled' }, before, after).terms.status).toBe('cancelled');
});

test('a plan that the operator has already given is not reported as a change', () => {
  const growth = {
    plan: 'growth',
    status: 'active',
    currentPeriodStart: null,
    currentPeriodEnd: null,
  } as const;
  const business = { ...growth, plan: 'business' } as const;
  expect(follow({ plan: 'business', status: 'active' }, growth, business)).toEqual({
    terms: { plan: 'business', status: 'active' },
    change: undefined,
  });
});
