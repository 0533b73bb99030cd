/** Which word of the provider is newer, where its clock says the same second. */
import { describe, expect, test } from 'vitest';
import { effectiveOf, follow, isNewer, type ProviderSubscription, planOf } from './provider-state.ts';
import type { Snapshot } from './told.ts';

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

describe('two words of the same second', () => {
  test.each([
    ['the first word is never the newer one', 'active', snapshot('incomplete', { isFirst: true }), false],
    [
      'whatever is complete is newer than incomplete',
      'incomplete',
      snapshot('past_due', { previousStatus: 'active' }),
      true,
    ],
    [
      'the first word is the older one, also where nothing else tells',
      'past_due',
      snapshot('active', { isFirst: true }),
      false,
    ],
    ['incomplete is newer than nothing', 'active', snapshot('incomplete'), false],
    [
      'one that follows upon the kept status is newer',
      'active',
      snapshot('past_due', { previousStatus: 'active' }),
      true,
    ],
    [
      'one that follows upon another is older',
      'past_due',
      snapshot('active', { previousStatus: 'trialing' }),
      false,
    ],
    ['one that changes something else is taken', 'active', snapshot('active'), true],
    ['the end is newer than all', 'active', snapshot('canceled', { previousStatus: 'past_due' }), true],
    ['nothing is newer than the end', 'canceled', snapshot('active'), false],
  ])('%s', (_, status, told, expected) => {
    expect(isNewer({ status, toldAt: second }, { snapshot: told, happenedAt: second })).toBe(expected);
  });
});

test('nothing is newer than the end, whatever the clock says', () => {
  const kept = { status: 'canceled', toldAt: second };
  expect(isNewer(kept, { snapshot: snapshot('active'), happenedAt: second + 1_000 })).toBe(false);
});

const provided = (
  status: string,
  plan: ProviderSubscription['plan'],
  toldAt = second,
): ProviderSubscription => ({
  ...snapshot(status),
  id: `sub_${status}`,
  subscriptionId: 'sub_ours',
  customer: null,
  plan,
  unpriced: plan === null,
  toldAt,
});

test('of several the largest plan is in effect, then one that is paid', () => {
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

test('of several prices the largest plan is meant', () => {
  const plans = new Map([['a', 'business'] as const, ['b', 'starter'] as const]);
  expect(planOf(['b', 'addon', 'a'], plans)).toBe('business');
  expect(planOf(['addon'], plans)).toBe(undefined);
});

test('whatever the provider says of a subscription that the operator has cancelled, it stays cancelled', () => {
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

test('a plan that the operator has given already is no change to be told', () => {
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
