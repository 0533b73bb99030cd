/** A change reported by the provider, and its effect on our subscription, in one transaction. */

import type { Outbox } from '../../framework/outbox.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import {
  forgetUsage,
  lockSubscription,
  type SubscriptionTerms,
  writeSubscription,
} from '../tenancy/subscriptions.ts';
import { type Change, type Effective, effectiveOf, follow } from './provider-state.ts';
import { listLinked } from './store/subscriptions.ts';
import { emitToWorkspaces, type SubscriptionEvent } from './subscription-events.ts';

/** The provider in events. */
export const stripe = 'stripe';

const eventOf = (
  subscriptionId: string,
  change: Change,
  { plan, status }: SubscriptionTerms,
  period: Effective | undefined,
): SubscriptionEvent => {
  const state = {
    subscriptionId,
    plan,
    currentPeriodStart: period?.currentPeriodStart ?? null,
    currentPeriodEnd: period?.currentPeriodEnd ?? null,
    provider: stripe,
  };
  switch (change.type) {
    case 'subscription.plan_changed':
      return { type: change.type, data: { ...state, status, previousPlan: change.previousPlan } };
    // The bought plan has ended; the event has the remaining plan.
    case 'subscription.cancelled':
      return { type: change.type, data: { ...state, status: 'cancelled' } };
    case 'subscription.activated':
      return { type: change.type, data: { ...state, status } };
  }
};

export interface ProviderChange {
  subscriptionId: string;
  occurredAt: Date;
  /** Writes the provider's report, or a link. */
  change(): Promise<void>;
}

/**
 * Changes the stored state of a provider's subscription, and gives ours the plan that follows. Changes of one
 * subscription are serialized.
 * @returns whether ours has changed
 */
export const followProvider = async (
  tx: Transaction,
  outbox: Outbox,
  { subscriptionId, occurredAt, change }: ProviderChange,
): Promise<boolean> => {
  const ours = await lockSubscription(tx, subscriptionId);
  if (!ours) throw new Error(`there is no subscription ${subscriptionId}`);
  const before = effectiveOf(await listLinked(tx, subscriptionId));
  await change();
  const after = effectiveOf(await listLinked(tx, subscriptionId));
  const { terms, change: event } = follow(ours, before, after);
  if (!event && terms.plan === ours.plan && terms.status === ours.status) return false;
  const version = await writeSubscription(tx, subscriptionId, terms);
  if (terms.plan !== ours.plan) await forgetUsage(tx, subscriptionId);
  const events = event ? [eventOf(subscriptionId, event, terms, after ?? before)] : [];
  await emitToWorkspaces(tx, outbox, { subscriptionId, version, occurredAt }, events);
  return true;
};
