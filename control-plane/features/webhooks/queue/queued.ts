/** Rows of the queue: deliveries that are due, or will be. */
import type { Queryable } from '../../../db/pool.ts';
import { deliveryIdOf } from './delivery-id.ts';

/** What a webhook is to be sent. */
export interface WantedDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly placedAt: Date;
  readonly type: string;
  /** Of a batch, its events. */
  readonly batch?: readonly BatchedEvent[];
  /** Whether it is an example that the owner has asked for; false by default. */
  readonly test?: boolean;
}

/** An event of a batch: its key in webhook_events. */
export interface BatchedEvent {
  readonly id: string;
  readonly placedAt: Date;
}

/**
 * Adds deliveries that are due at once. One that is in the queue stays as it is.
 * @param deliveries of events that were never sent to their webhook, not more than a statement should take
 */
export const addToQueue = async (db: Queryable, deliveries: readonly WantedDelivery[]): Promise<void> => {
  await db.query({
    name: 'add-to-webhook-queue',
    text: `INSERT INTO webhook_queue (id, webhook_id, event_id, placed_at, type, batch, test)
      SELECT id, webhook_id, event_id, placed_at, type, batch::json, test
      FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::boolean[])
        AS given (id, webhook_id, event_id, placed_at, type, batch, test)
      ORDER BY id ON CONFLICT (id) DO NOTHING`,
    values: [
      deliveries.map(({ webhookId, eventId }) => deliveryIdOf(webhookId, eventId)),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map((delivery) => delivery.placedAt.toISOString()),
      deliveries.map(({ type }) => type),
      deliveries.map(({ batch }) => (batch ? JSON.stringify(batch) : null)),
      deliveries.map(({ test = false }) => test),
    ],
  });
};
