/** Deliveries that no current event causes: tests, batches, resends and replays. */
import { createHash } from 'node:crypto';
import type { EventType } from '#schemas/events.ts';
import { base58OfDigest } from '#shared/ids.ts';
import { eventIds } from '../../../framework/outbox.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { exampleEvent } from './examples.ts';
import { payloadOf } from './payloads.ts';
import { placedAt } from './placement.ts';
import { addToQueue, type BatchedEvent, type WantedDelivery } from './queued.ts';
import { storeEvents } from './stored-events.ts';

export interface TestedWebhook {
  readonly id: string;
  readonly workspaceId: string;
  readonly subscriptionId: string;
  /** Whether its scans are batched; false by default. */
  readonly isBatched?: boolean;
}

/**
 * Enqueues an example event of the type for this webhook only; a scan as a batch of one if the webhook has its scans
 * batched.
 * @returns the ids of the delivery, and of the event or batch that it sends
 */
export const enqueueTest = async (
  tx: Transaction,
  { id, workspaceId, subscriptionId, isBatched }: TestedWebhook,
  type: EventType,
  now = new Date(),
): Promise<{ deliveryId: string; eventId: string }> => {
  const event = exampleEvent(type, { id: eventIds.create(), workspaceId, occurredAt: now });
  const key = { placedAt: placedAt(now), type };
  const data = JSON.stringify(payloadOf(event, subscriptionId));
  const stored = { id: event.id, workspaceId, occurredAt: now, data, onlyFor: id, isInFeed: false, ...key };
  await storeEvents(tx, [stored]);
  const delivery =
    isBatched && type === 'scan.created'
      ? deliveryOfBatch({ webhookId: id, events: [{ id: event.id, placedAt: key.placedAt }] })
      : { webhookId: id, eventId: event.id, ...key };
  await addToQueue(tx, [{ ...delivery, test: true }]);
  return { deliveryId: deliveryIdOf(id, delivery.eventId), eventId: delivery.eventId };
};

/** The type of a batch's envelope. Webhooks do not list it: those with scan.created get it. */
export const batchType = 'scan.created.batch';

export interface NewBatch {
  readonly webhookId: string;
  /** In the order in which they are sent, at least one. They are already stored. */
  readonly events: readonly BatchedEvent[];
}

/** The envelope's id: a function of its content, so that a batch added twice is one. */
const batchIdOf = ({ webhookId, events }: NewBatch): string => {
  const hash = createHash('sha256').update(webhookId);
  for (const { id } of events) hash.update(` ${id}`);
  return `${eventIds.prefix}_${base58OfDigest(hash.digest(), 16)}`;
};

const deliveryOfBatch = (batch: NewBatch): WantedDelivery => ({
  webhookId: batch.webhookId,
  eventId: batchIdOf(batch),
  placedAt: batch.events[0]!.placedAt,
  type: batchType,
  batch: batch.events,
});

/** Adds a delivery for each batch. @param batches as many as a statement should take: 100 of 1,000 events are 6 MB */
export const enqueueBatches = (tx: Transaction, batches: readonly NewBatch[]): Promise<void> =>
  addToQueue(tx, batches.map(deliveryOfBatch));

/** The outcome of a resend. */
export type Resent = 'queued' | 'beingSent' | 'unknown';

/**
 * Begins another round of a finished delivery, under its id and with its attempts. The next attempt of an unfinished
 * one is due now.
 * @returns `beingSent` if an attempt is under way; `unknown` if the webhook has no delivery with this id
 */
export const resend = async (db: Queryable, webhookId: string, deliveryId: string): Promise<Resent> => {
  if ((await beginRound(db, webhookId, deliveryId)) || (await hasten(db, webhookId, deliveryId)))
    return 'queued';
  return (await isQueued(db, webhookId, deliveryId)) ? 'beingSent' : 'unknown';
};

/** @returns whether the delivery was finished */
const beginRound = async (db: Queryable, webhookId: string, deliveryId: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'resend-webhook-delivery',
    text: `WITH finished AS (
        DELETE FROM webhook_deliveries WHERE id = $1 AND webhook_id = $2
        RETURNING id, webhook_id, event_id, placed_at, type, batch, test, attempts, created_at
      )
      INSERT INTO webhook_queue (id, webhook_id, event_id, placed_at, type, batch, test, attempts, created_at)
      SELECT * FROM finished ON CONFLICT (id) DO NOTHING`,
    values: [deliveryId, webhookId],
  });
  return rowCount === 1;
};

/** @returns whether it is in the queue, and not being sent */
const hasten = async (db: Queryable, webhookId: string, deliveryId: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'hasten-webhook-delivery',
    // A lease that has ended belongs to a dead process.
    text: `UPDATE webhook_queue SET due_at = least(due_at, now())
      WHERE id = $1 AND webhook_id = $2 AND (lease IS NULL OR due_at <= now())`,
    values: [deliveryId, webhookId],
  });
  return rowCount === 1;
};

const isQueued = async (db: Queryable, webhookId: string, deliveryId: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'is-webhook-delivery-queued',
    text: 'SELECT FROM webhook_queue WHERE id = $1 AND webhook_id = $2',
    values: [deliveryId, webhookId],
  });
  return rowCount === 1;
};

/** An event or a batch that a webhook should get again, or for the first time. */
export interface Replayed {
  readonly eventId: string;
  readonly placedAt: Date;
  readonly type: string;
}

/**
 * Sends events of a replay: finished deliveries begin another round with their attempts, never-sent events begin
 * their first, and queued ones are unchanged. A batch is sent unchanged.
 * @param events at most 1,000
 * @returns how many were added to the queue
 */
export const replay = async (
  db: Queryable,
  webhookId: string,
  events: readonly Replayed[],
): Promise<number> => {
  const times = events.map((event) => event.placedAt.getTime());
  const { rowCount } = await db.query({
    name: 'replay-webhook-deliveries',
    // The time bounds let PostgreSQL skip partitions.
    text: `WITH wanted AS (
        SELECT * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[]) AS given (id, event_id, placed_at, type)
      ), finished AS (
        DELETE FROM webhook_deliveries d USING wanted
        WHERE d.id = wanted.id AND d.placed_at = wanted.placed_at AND d.webhook_id = $1
          AND d.placed_at BETWEEN $6::timestamptz AND $7::timestamptz
        RETURNING d.*
      )
      INSERT INTO webhook_queue (id, webhook_id, event_id, placed_at, type, batch, test, attempts, created_at)
      SELECT id, $1, coalesce(f.event_id, wanted.event_id), coalesce(f.placed_at, wanted.placed_at),
        coalesce(f.type, wanted.type), f.batch, coalesce(f.test, false), coalesce(f.attempts, '[]'), coalesce(f.created_at, clock_timestamp())
      FROM wanted LEFT JOIN finished f USING (id)
      WHERE wanted.type <> '${batchType}' OR f.id IS NOT NULL
      ORDER BY id ON CONFLICT (id) DO NOTHING`,
    values: [
      webhookId,
      events.map(({ eventId }) => deliveryIdOf(webhookId, eventId)),
      events.map(({ eventId }) => eventId),
      events.map((event) => event.placedAt.toISOString()),
      events.map(({ type }) => type),
      new Date(Math.min(...times)).toISOString(),
      new Date(Math.max(...times)).toISOString(),
    ],
  });
  return rowCount ?? 0;
};
