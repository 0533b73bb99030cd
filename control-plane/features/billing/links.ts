/** Links between the provider's subscriptions and ours, made and removed by an operator. */
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { findSubscriptionOf } from '../tenancy/subscriptions.ts';
import { type Billing, link } from './apply-event.ts';
import { applyMoment } from './apply-moment.ts';
import { lockCustomer } from './store/customers.ts';
import { lockWaitingEvent, noteOutcome } from './store/events.ts';
import { findCustomer, lockProviderSubscription, removeLink } from './store/subscriptions.ts';

export interface Linked {
  subscriptionId: string;
  /** The provider's status; null if it has reported none yet. */
  stripeStatus: string | null;
  /** Payments, refunds and purchases that waited for the link. */
  applied: number;
}

/**
 * Links a provider's subscription to a workspace's. One that the provider has not reported yet is linked from its first
 * event. Linking it again changes nothing.
 * @returns undefined if there is no such workspace
 * @throws {ClientError} CONFLICT if it is linked to another
 */
export const linkSubscription = (
  pool: Pool,
  billing: Billing,
  workspaceId: string,
  id: string,
): Promise<Linked | undefined> =>
  inTransaction(pool, async (tx) => {
    const subscriptionId = await findSubscriptionOf(tx, workspaceId);
    if (subscriptionId === undefined) return undefined;
    const customer = await findCustomer(tx, id);
    if (customer !== undefined) await lockCustomer(tx, customer);
    const kept = await lockProviderSubscription(tx, id);
    if (kept.subscriptionId !== null && kept.subscriptionId !== subscriptionId)
      throw new ClientError(
        'CONFLICT',
        `${id} is linked to ${kept.subscriptionId}; unlink-subscription removes that link`,
      );
    const applied = await link(tx, billing, { kept, subscriptionId, occurredAt: new Date() });
    return { subscriptionId, stripeStatus: kept.status, applied };
  });

/**
 * From then on its events have no effect; the plan stays as it is.
 * @returns the subscription it was linked to, or undefined
 */
export const unlinkSubscription = (pool: Pool, id: string): Promise<string | undefined> =>
  inTransaction(pool, (tx) => removeLink(tx, id));

/**
 * Applies a waiting payment, refund or purchase to the subscription of a workspace, once.
 * @returns undefined if there is no such workspace, or no such event waits
 */
export const applyEventTo = (
  pool: Pool,
  { outbox }: Billing,
  workspaceId: string,
  eventId: string,
): Promise<{ subscriptionId: string; kind: string } | undefined> =>
  inTransaction(pool, async (tx) => {
    const subscriptionId = await findSubscriptionOf(tx, workspaceId);
    const event = await lockWaitingEvent(tx, eventId);
    if (subscriptionId === undefined || !event) return undefined;
    const { moment, happenedAt: occurredAt } = event;
    await applyMoment(tx, outbox, { subscriptionId, moment, occurredAt, about: undefined });
    await noteOutcome(tx, eventId, { outcome: 'applied' });
    return { subscriptionId, kind: moment.kind };
  });
