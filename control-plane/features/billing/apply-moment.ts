/** Applies a payment, a refund or a purchase to a subscription of ours, once: the caller has locked its event. */

import type { Outbox } from '../../framework/outbox.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { addPurchased } from '../serialized/store/quotas.ts';
import { lockSubscription, type SubscriptionTerms, writeSubscription } from '../tenancy/subscriptions.ts';
import { stripe } from './follow-provider.ts';
import type { Moment } from './provider-event.ts';
import { effectiveOf, gives, type ProviderSubscription } from './provider-state.ts';
import { insertBlock, returnBlock } from './store/blocks.ts';
import { isRefunded, lockWaitingRefunds, noteOutcome } from './store/events.ts';
import { listLinked } from './store/subscriptions.ts';
import { emitToWorkspaces, type SubscriptionEvent } from './subscription-events.ts';

export interface Happened {
  subscriptionId: string;
  moment: Moment;
  occurredAt: Date;
  /** The provider's subscription concerned, if any. */
  about: ProviderSubscription | undefined;
}

type ProviderEvent = Exclude<Moment, { kind: 'block' }>;
type State = Pick<
  SubscriptionEvent['data'],
  'subscriptionId' | 'plan' | 'status' | 'currentPeriodStart' | 'currentPeriodEnd' | 'provider'
>;

/** A renewal may arrive before the new period does. */
const withLaterPeriod = (state: State, moment: ProviderEvent): State => {
  if (moment.kind !== 'renewed' || moment.periodEnd === null) return state;
  if (moment.periodEnd <= (state.currentPeriodEnd ?? 0)) return state;
  return { ...state, currentPeriodStart: moment.periodStart, currentPeriodEnd: moment.periodEnd };
};

/** The status at that moment, regardless of earlier or later events. */
const statusAt = ({ kind }: ProviderEvent, { status }: SubscriptionTerms, about?: ProviderSubscription) => {
  if (status === 'cancelled' || !about || !gives(about)) return status;
  if (kind === 'payment_failed') return 'past_due';
  return kind === 'renewed' ? 'active' : status;
};

const eventOf = (moment: ProviderEvent, state: State): SubscriptionEvent => {
  switch (moment.kind) {
    case 'renewed':
      return { type: 'subscription.renewed', data: state };
    case 'payment_failed':
      return { type: 'subscription.payment_failed', data: state };
    case 'refunded': {
      const { amount, currency } = moment;
      return { type: 'subscription.refunded', data: { ...state, amount, currency } };
    }
  }
};

const grant = async (
  tx: Transaction,
  subscriptionId: string,
  { payment, items }: Extract<Moment, { kind: 'block' }>,
): Promise<void> => {
  const isReturned = await isRefunded(tx, payment);
  const isNew = await insertBlock(tx, { payment, subscriptionId, items, isReturned });
  if (isNew && !isReturned) await addPurchased(tx, subscriptionId, items);
};

/** If the whole price of a block is refunded, the block is taken back; items minted from it stay. */
const takeBack = async (tx: Transaction, subscriptionId: string, moment: Moment): Promise<void> => {
  if (moment.kind !== 'refunded' || !moment.isWhole || moment.payment === null) return;
  const items = await returnBlock(tx, subscriptionId, moment.payment);
  if (items !== undefined) await addPurchased(tx, subscriptionId, -items);
};

/** A block tells whose payment it was, so earlier refunds of it are applied now. */
const applyBlock = async (
  tx: Transaction,
  outbox: Outbox,
  subscriptionId: string,
  block: Extract<Moment, { kind: 'block' }>,
): Promise<void> => {
  await grant(tx, subscriptionId, block);
  for (const { id, moment, happenedAt } of await lockWaitingRefunds(tx, block.payment)) {
    await applyMoment(tx, outbox, { subscriptionId, moment, occurredAt: happenedAt, about: undefined });
    await noteOutcome(tx, id, { outcome: 'applied' });
  }
};

export const applyMoment = async (tx: Transaction, outbox: Outbox, happened: Happened): Promise<void> => {
  const { subscriptionId, moment, occurredAt, about } = happened;
  const ours = await lockSubscription(tx, subscriptionId);
  if (!ours) throw new Error(`there is no subscription ${subscriptionId}`);
  if (moment.kind === 'block') return applyBlock(tx, outbox, subscriptionId, moment);
  await takeBack(tx, subscriptionId, moment);
  const period = about ?? effectiveOf(await listLinked(tx, subscriptionId));
  const state: State = {
    subscriptionId,
    plan: ours.plan,
    status: statusAt(moment, ours, about),
    currentPeriodStart: period?.currentPeriodStart ?? null,
    currentPeriodEnd: period?.currentPeriodEnd ?? null,
    provider: stripe,
  };
  const version = await writeSubscription(tx, subscriptionId, ours);
  const event = eventOf(moment, withLaterPeriod(state, moment));
  await emitToWorkspaces(tx, outbox, { subscriptionId, version, occurredAt }, [event]);
};
