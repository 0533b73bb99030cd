/** Rows of the queue: deliveries that are due now or later. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { deliveryIdOf } from './delivery-id.ts';

/** A delivery to enqueue. */
export interface WantedDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly placedAt: Date;
  readonly type: string;
  /** The events, if it is a batch. */
  readonly batch?: readonly BatchedEvent[];
  /** Whether it is an example that the owner requested; false by default. */
  readonly test?: boolean;
}

/** An event of a batch: its key in webhook_events. */
export interface BatchedEvent {
  readonly id: string;
  readonly placedAt: Date;
}

/**
 * Enqueues deliveries that are due at once. A delivery already in the queue is unchanged.
 * @param deliveries of events never sent to their webhook; as many as a statement should take
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
