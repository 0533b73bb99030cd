/** Events of a subscription, sent to every workspace that it pays for. */
import type { EventType, NewEvent } from '#schemas/events.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { listWorkspacesOf } from '../tenancy/subscriptions.ts';

export type SubscriptionEventType = Extract<EventType, `subscription.${string}`>;

/** The type and the data of an event; the workspaces are added later. */
export type SubscriptionEvent = {
  [Type in SubscriptionEventType]: Pick<NewEvent<Type>, 'type' | 'data'>;
}[SubscriptionEventType];

interface About {
  subscriptionId: string;
  version: number;
  occurredAt: Date;
}

/** Must be called in the transaction of the change. */
export const emitToWorkspaces = async (
  tx: Transaction,
  outbox: Outbox,
  { subscriptionId, version, occurredAt }: About,
  events: readonly SubscriptionEvent[],
): Promise<void> => {
  if (events.length === 0) return;
  const workspaceIds = await listWorkspacesOf(tx, subscriptionId);
  const subject = { id: subscriptionId, version };
  await outbox.emit(
    tx,
    workspaceIds.flatMap((workspaceId) =>
      events.map((event): NewEvent => ({ ...event, workspaceId, subject, occurredAt })),
    ),
  );
};
