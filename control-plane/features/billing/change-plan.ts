/** The operator's change of a subscription; its workspaces get the same events as for a provider's change. */
import type { Plan, SubscriptionStatus } from '#schemas/api/plans.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import {
  findSubscriptionOf,
  forgetUsage,
  lockSubscription,
  type SubscriptionTerms,
  writeSubscription,
} from '../tenancy/subscriptions.ts';
import { effectiveOf } from './provider-state.ts';
import { listLinked } from './store/subscriptions.ts';
import { emitToWorkspaces, type SubscriptionEvent } from './subscription-events.ts';

/** The provider in events. */
const operator = 'operator';

type State = Extract<SubscriptionEvent, { type: 'subscription.activated' }>['data'];

/** The events of a new status and of a new plan: none, one or both. */
const eventsOf = (before: SubscriptionTerms, state: State): SubscriptionEvent[] => {
  const events: SubscriptionEvent[] = [];
  if (state.status !== before.status) {
    if (state.status === 'cancelled') events.push({ type: 'subscription.cancelled', data: state });
    else if (before.status === 'cancelled') events.push({ type: 'subscription.activated', data: state });
    else if (state.status === 'past_due') events.push({ type: 'subscription.payment_failed', data: state });
    else events.push({ type: 'subscription.renewed', data: state });
  }
  if (state.plan !== before.plan)
    events.push({ type: 'subscription.plan_changed', data: { ...state, previousPlan: before.plan } });
  return events;
};

const write = async (
  tx: Transaction,
  outbox: Outbox,
  subscriptionId: string,
  change: { before: SubscriptionTerms; after: SubscriptionTerms },
): Promise<void> => {
  const { before, after } = change;
  const period = effectiveOf(await listLinked(tx, subscriptionId));
  const events = eventsOf(before, {
    subscriptionId,
    ...after,
    currentPeriodStart: period?.currentPeriodStart ?? null,
    currentPeriodEnd: period?.currentPeriodEnd ?? null,
    provider: operator,
  });
  if (events.length === 0) return;
  const version = await writeSubscription(tx, subscriptionId, after);
  await forgetUsage(tx, subscriptionId);
  await emitToWorkspaces(tx, outbox, { subscriptionId, version, occurredAt: new Date() }, events);
};

/**
 * Changes the subscription of a workspace; values that are not given stay.
 * @returns the subscription's id; undefined if there is no such workspace
 */
export const changePlan = (
  pool: Pool,
  outbox: Outbox,
  workspaceId: string,
  change: { plan: Plan | undefined; status: SubscriptionStatus | undefined },
): Promise<string | undefined> =>
  inTransaction(pool, async (tx) => {
    const subscriptionId = await findSubscriptionOf(tx, workspaceId);
    const before = subscriptionId === undefined ? undefined : await lockSubscription(tx, subscriptionId);
    if (subscriptionId === undefined || !before) return undefined;
    await write(tx, outbox, subscriptionId, {
      before,
      after: { plan: change.plan ?? before.plan, status: change.status ?? before.status },
    });
    return subscriptionId;
  });
