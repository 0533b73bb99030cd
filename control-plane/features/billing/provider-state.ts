/** The rules of states, pure: which word of a provider is newer, what its subscriptions give, and what follows from a change of that. */
import { type Plan, plan, type SubscriptionStatus } from '#schemas/api/plans.ts';
import type { Snapshot } from './told.ts';

/** A provider's subscription, as it is kept. Times are epoch milliseconds. */
export interface ProviderSubscription {
  id: string;
  subscriptionId: string | null;
  customer: string | null;
  /** The provider's word; null before the first. */
  status: string | null;
  plan: Plan | null;
  prices: readonly string[];
  unpriced: boolean;
  currentPeriodStart: number | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  toldAt: number | null;
}

/** In these the customer has what was bought: `incomplete`, `incomplete_expired`, `unpaid`, `paused` and `canceled` are the others. */
const statuses: Readonly<Record<string, Exclude<SubscriptionStatus, 'cancelled'>>> = {
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
};

/** A subscription in one of these never leaves it: whoever subscribes again gets another. */
const finalStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

export const gives = ({ status }: Pick<ProviderSubscription, 'status'>): boolean =>
  status !== null && Object.hasOwn(statuses, status);

/** The largest of the plans that the prices are for; undefined where none is known. */
export const planOf = (prices: readonly string[], plans: ReadonlyMap<string, Plan>): Plan | undefined => {
  const found = prices.flatMap((price) => plans.get(price) ?? []);
  return plan.options.findLast((each) => found.includes(each));
};

/**
 * Whether a snapshot is newer than what is kept. The provider's clock has whole seconds: in the same second the one that follows
 * upon the kept status is the newer one.
 */
export const isNewer = (
  kept: Pick<ProviderSubscription, 'status' | 'toldAt'>,
  { snapshot, happenedAt }: { snapshot: Snapshot; happenedAt: number },
): boolean => {
  const { status, toldAt } = kept;
  if (status === null || toldAt === null) return true;
  if (finalStatuses.has(status)) return false;
  if (finalStatuses.has(snapshot.status) || happenedAt > toldAt) return true;
  if (happenedAt < toldAt || snapshot.isFirst) return false;
  if ((status === 'incomplete') !== (snapshot.status === 'incomplete')) return status === 'incomplete';
  return snapshot.previousStatus === undefined || snapshot.previousStatus === status;
};

/** What is in effect by the provider's word. */
export interface Effective {
  plan: Plan;
  status: Exclude<SubscriptionStatus, 'cancelled'>;
  currentPeriodStart: number | null;
  currentPeriodEnd: number | null;
}

/** The best of those that are linked to one subscription of ours: an earlier one may end after a later one has begun. */
export const effectiveOf = (linked: readonly ProviderSubscription[]): Effective | undefined => {
  const giving = linked.flatMap((each) => {
    const status = gives(each) ? statuses[each.status ?? ''] : undefined;
    return status && each.plan ? [{ ...each, plan: each.plan, status }] : [];
  });
  const [best] = giving.sort(
    (a, b) =>
      plan.options.indexOf(b.plan) - plan.options.indexOf(a.plan) ||
      Number(a.status === 'past_due') - Number(b.status === 'past_due') ||
      (b.toldAt ?? 0) - (a.toldAt ?? 0),
  );
  if (!best) return undefined;
  const { plan: bestPlan, status, currentPeriodStart, currentPeriodEnd } = best;
  return { plan: bestPlan, status, currentPeriodStart, currentPeriodEnd };
};

/** A subscription of ours. */
export interface Terms {
  plan: Plan;
  status: SubscriptionStatus;
}

export type Change =
  | { type: 'subscription.activated' }
  | { type: 'subscription.cancelled' }
  | { type: 'subscription.plan_changed'; previousPlan: Plan };

/**
 * What a change of the provider's word makes of our subscription. What an operator has decided meanwhile stays: a status `cancelled`,
 * and a plan that is none of the provider's where that one ends.
 */
export const follow = (
  ours: Terms,
  before: Effective | undefined,
  after: Effective | undefined,
): { terms: Terms; change: Change | undefined } => {
  const status = (given: SubscriptionStatus) => (ours.status === 'cancelled' ? 'cancelled' : given);
  if (!after) {
    if (!before) return { terms: ours, change: undefined };
    const rest = ours.plan === before.plan ? 'free' : ours.plan;
    return { terms: { plan: rest, status: status('active') }, change: { type: 'subscription.cancelled' } };
  }
  if (!before)
    return {
      terms: { plan: after.plan, status: status(after.status) },
      change: { type: 'subscription.activated' },
    };
  const next = after.plan === before.plan ? ours.plan : after.plan;
  return {
    terms: { plan: next, status: after.status === before.status ? ours.status : status(after.status) },
    change: next === ours.plan ? undefined : { type: 'subscription.plan_changed', previousPlan: ours.plan },
  };
};
