/**
 * The rules of states, as pure functions: which report of a provider is newer, what its subscriptions give, and what
 * follows from a change.
 */
import { type Plan, plan, type SubscriptionStatus } from '#schemas/api/plans.ts';
import type { Snapshot } from './provider-event.ts';

/** A provider's subscription, as stored. Times are epoch milliseconds. */
export interface ProviderSubscription {
  id: string;
  subscriptionId: string | null;
  customer: string | null;
  /** The provider's status; null before its first report. */
  status: string | null;
  plan: Plan | null;
  prices: readonly string[];
  unpriced: boolean;
  currentPeriodStart: number | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  reportedAt: number | null;
}

/** In these the bought plan is in effect; not in incomplete, incomplete_expired, unpaid, paused and canceled. */
const statuses: Readonly<Record<string, Exclude<SubscriptionStatus, 'cancelled'>>> = {
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
};

/** Final states of a subscription: a customer who subscribes again gets another one. */
const finalStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

export const gives = ({ status }: Pick<ProviderSubscription, 'status'>): boolean =>
  status !== null && Object.hasOwn(statuses, status);

/** The largest plan among the prices; undefined if no price is known. */
export const planOf = (prices: readonly string[], plans: ReadonlyMap<string, Plan>): Plan | undefined => {
  const found = prices.flatMap((price) => plans.get(price) ?? []);
  return plan.options.findLast((each) => found.includes(each));
};

/**
 * Whether a snapshot is newer than the stored state. The provider's clock has whole seconds: within the same second, a
 * snapshot that follows on the stored status is newer.
 */
export const isNewer = (
  kept: Pick<ProviderSubscription, 'status' | 'reportedAt'>,
  { snapshot, happenedAt }: { snapshot: Snapshot; happenedAt: number },
): boolean => {
  const { status, reportedAt } = kept;
  if (status === null || reportedAt === null) return true;
  if (finalStatuses.has(status)) return false;
  if (finalStatuses.has(snapshot.status) || happenedAt > reportedAt) return true;
  if (happenedAt < reportedAt || snapshot.isFirst) return false;
  if ((status === 'incomplete') !== (snapshot.status === 'incomplete')) return status === 'incomplete';
  return snapshot.previousStatus === undefined || snapshot.previousStatus === status;
};

/** The plan in effect by the provider's reports. */
export interface Effective {
  plan: Plan;
  status: Exclude<SubscriptionStatus, 'cancelled'>;
  currentPeriodStart: number | null;
  currentPeriodEnd: number | null;
}

/** The best of the subscriptions linked to one of ours: an earlier one may end after a later one has begun. */
export const effectiveOf = (linked: readonly ProviderSubscription[]): Effective | undefined => {
  const giving = linked.flatMap((each) => {
    const status = gives(each) ? statuses[each.status ?? ''] : undefined;
    return status && each.plan ? [{ ...each, plan: each.plan, status }] : [];
  });
  const [best] = giving.sort(
    (a, b) =>
      plan.options.indexOf(b.plan) - plan.options.indexOf(a.plan) ||
      Number(a.status === 'past_due') - Number(b.status === 'past_due') ||
      (b.reportedAt ?? 0) - (a.reportedAt ?? 0),
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
 * The effect of a provider's change on our subscription. An operator's decisions stay: a status `cancelled`, and, if
 * the provider's subscription ends, a plan other than the provider's.
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
