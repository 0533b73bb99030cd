/** Applies an event to the stored state of the provider's subscription and, if it is linked, to ours. */
import type { Plan } from '#schemas/api/plans.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { applyMoment } from './apply-moment.ts';
import { followProvider } from './follow-provider.ts';
import type { ProviderEvent } from './provider-event.ts';
import { gives, isNewer, type ProviderSubscription, planOf } from './provider-state.ts';
import { findPayer } from './store/blocks.ts';
import { lockCustomer } from './store/customers.ts';
import { lockWaiting, noteOutcome, noteState, type Outcome } from './store/events.ts';
import {
  findNamed,
  findOfCustomer,
  lockProviderSubscription,
  writeProviderSubscription,
} from './store/subscriptions.ts';

export interface Billing {
  outbox: Outbox;
  /** By price, lookup key or product. */
  plans: ReadonlyMap<string, Plan>;
}

/** More than a subscription gets before it is linked. */
const waitingMax = 1_000;

/** The provider's clock may be ahead of ours. */
const notInFuture = (ms: number): Date => new Date(Math.min(ms, Date.now()));

const unlinked = (event: Pick<ProviderEvent, 'named' | 'providerSubscription'>): Outcome => {
  const { named, providerSubscription: id } = event;
  const why =
    named === null
      ? 'it names no subscription or workspace of ours'
      : `there is no subscription or workspace ${named}`;
  const remedy = id === null ? 'apply-billing-event' : `link-subscription --stripe-subscription ${id}`;
  return { outcome: 'waiting', problem: `${why}; admin ${remedy} says whose it is` };
};

const withPlan = (next: ProviderSubscription, plans: Billing['plans']): ProviderSubscription => {
  if (next.status === null) return next;
  const known = planOf(next.prices, plans);
  return { ...next, plan: known ?? next.plan, unpriced: known === undefined };
};

/** Writes its state, and updates our subscription if it is linked. @returns whether ours has changed */
export const keep = async (
  tx: Transaction,
  { outbox }: Billing,
  next: ProviderSubscription,
  occurredAt: Date,
): Promise<boolean> => {
  const change = () => writeProviderSubscription(tx, next);
  if (next.subscriptionId !== null)
    return followProvider(tx, outbox, { subscriptionId: next.subscriptionId, occurredAt, change });
  await change();
  return false;
};

const unpriced = ({ prices }: ProviderSubscription): Outcome => ({
  outcome: 'waiting',
  problem: `STRIPE_PRICES has none of ${prices.join(', ').slice(0, 300) || 'its prices: it has no items'}`,
});

/** The outcome of events about the state of a linked subscription. */
const stateOutcome = (linked: ProviderSubscription): Outcome =>
  linked.unpriced && gives(linked) ? unpriced(linked) : { outcome: 'applied' };

/** Applies events that arrived before the link. @returns how many payments, refunds and purchases */
const applyWaiting = async (
  tx: Transaction,
  { outbox }: Billing,
  linked: ProviderSubscription & { subscriptionId: string },
): Promise<number> => {
  await noteState(tx, linked.id, stateOutcome(linked));
  const waiting = await lockWaiting(tx, linked.id, linked.customer, waitingMax);
  for (const { id, moment, happenedAt } of waiting) {
    const occurredAt = notInFuture(happenedAt.getTime());
    await applyMoment(tx, outbox, {
      subscriptionId: linked.subscriptionId,
      moment,
      occurredAt,
      about: linked,
    });
    await noteOutcome(tx, id, { outcome: 'applied' });
  }
  return waiting.length;
};

/**
 * Links a provider's subscription, which is locked, and applies the events that waited for it.
 * @returns how many payments, refunds and purchases
 */
export const link = async (
  tx: Transaction,
  billing: Billing,
  {
    kept,
    subscriptionId,
    occurredAt,
  }: { kept: ProviderSubscription; subscriptionId: string; occurredAt: Date },
): Promise<number> => {
  const next = { ...withPlan(kept, billing.plans), subscriptionId };
  await keep(tx, billing, next, occurredAt);
  return applyWaiting(tx, billing, next);
};

const withSnapshot = (
  kept: ProviderSubscription,
  event: ProviderEvent,
  plans: Billing['plans'],
): ProviderSubscription => {
  const { snapshot, happenedAt } = event;
  const customer = event.customer ?? kept.customer;
  if (!snapshot || !isNewer(kept, { snapshot, happenedAt })) return { ...kept, customer };
  const { status, prices, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } = snapshot;
  const next = { ...kept, customer, status, prices, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd };
  return withPlan({ ...next, reportedAt: happenedAt }, plans);
};

const applyToSubscription = async (
  tx: Transaction,
  billing: Billing,
  event: ProviderEvent & { providerSubscription: string },
): Promise<Outcome> => {
  const { snapshot, moment, named } = event;
  const occurredAt = notInFuture(event.happenedAt);
  const kept = await lockProviderSubscription(tx, event.providerSubscription);
  const isStale = snapshot !== undefined && !isNewer(kept, { snapshot, happenedAt: event.happenedAt });
  const next = withSnapshot(kept, event, billing.plans);
  let hasChanged = await keep(tx, billing, next, occurredAt);
  const subscriptionId = kept.subscriptionId ?? (named === null ? undefined : await findNamed(tx, named));
  if (subscriptionId === undefined) return isStale ? { outcome: 'stale' } : unlinked(event);
  if (kept.subscriptionId === null) {
    await link(tx, billing, { kept: next, subscriptionId, occurredAt });
    hasChanged = true;
  }
  if (moment) {
    await applyMoment(tx, billing.outbox, { subscriptionId, moment, occurredAt, about: next });
    hasChanged = true;
  }
  if (isStale) return { outcome: 'stale' };
  const state = stateOutcome(next);
  if (snapshot) await noteState(tx, next.id, state);
  if (snapshot && state.outcome === 'waiting') return state;
  return { outcome: hasChanged ? 'applied' : 'noted' };
};

/**
 * Finds the payer of a payment without a provider's subscription. If it names an id, only that counts, even if another
 * customer paid.
 */
const findPaying = async (tx: Transaction, event: ProviderEvent): Promise<string | undefined> => {
  const { moment, named, customer } = event;
  const payment = moment?.kind === 'refunded' ? moment.payment : null;
  const payer = payment === null ? undefined : await findPayer(tx, payment);
  if (payer !== undefined) return payer;
  if (named !== null) return findNamed(tx, named);
  return customer === null ? undefined : findOfCustomer(tx, customer);
};

/** @param event received for the first time */
export const applyEvent = async (
  tx: Transaction,
  billing: Billing,
  event: ProviderEvent,
): Promise<Outcome> => {
  const { providerSubscription, moment, customer } = event;
  if (customer !== null) await lockCustomer(tx, customer);
  if (providerSubscription !== null)
    return applyToSubscription(tx, billing, { ...event, providerSubscription });
  if (!moment) return { outcome: 'noted' };
  const subscriptionId = await findPaying(tx, event);
  if (subscriptionId === undefined) return unlinked(event);
  const occurredAt = notInFuture(event.happenedAt);
  await applyMoment(tx, billing.outbox, { subscriptionId, moment, occurredAt, about: undefined });
  return { outcome: 'applied' };
};
