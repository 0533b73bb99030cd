/** Claims due deliveries: no other process can take them until the lease ends. */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Enveloped } from './envelope.ts';

/**
 * Several times longer than an attempt and writing its result. Deliveries of a killed process stay claimed for this
 * long.
 */
export const leaseSeconds = 60;

/** How many deliveries of a webhook to claim. */
export interface Wanted {
  readonly webhookId: string;
  readonly count: number;
}

export interface Claimed extends Enveloped {
  readonly id: string;
  readonly webhookId: string;
  readonly lease: string;
  /** Earlier attempts of this round. */
  readonly roundAttempts: number;
  /** Whether its owner requested it as a test. */
  readonly test: boolean;
}

/**
 * Concurrent claims take different deliveries: each skips rows that the other has locked, and leased rows are due
 * later.
 * @param wanted each webhook at most once
 */
export const claim = async (db: Queryable, wanted: readonly Wanted[]): Promise<readonly Claimed[]> => {
  const { rows } = await db.query<Claimed>({
    name: 'claim-webhook-deliveries',
    text: `WITH due AS (
        SELECT one.id FROM unnest($1::text[], $2::integer[]) AS wanted (webhook_id, count), LATERAL (
          SELECT q.id FROM webhook_queue q WHERE q.webhook_id = wanted.webhook_id AND q.due_at <= now()
          ORDER BY q.due_at LIMIT wanted.count FOR UPDATE SKIP LOCKED
        ) one
      )
      UPDATE webhook_queue q SET lease = $3, due_at = now() + make_interval(secs => ${leaseSeconds})
      FROM due WHERE q.id = due.id
      RETURNING q.id, q.webhook_id AS "webhookId", q.event_id AS "eventId", q.placed_at AS "placedAt", q.type, q.batch,
        q.created_at AS "createdAt", q.lease, q.round_attempts AS "roundAttempts", q.test`,
    values: [wanted.map(({ webhookId }) => webhookId), wanted.map(({ count }) => count), randomUUID()],
  });
  return rows;
};

/** Releases deliveries that were not sent: they are due at once. */
export const release = async (db: Queryable, deliveries: readonly Claimed[]): Promise<void> => {
  await db.query({
    name: 'release-webhook-deliveries',
    text: `UPDATE webhook_queue q SET lease = NULL, due_at = now()
      FROM unnest($1::text[], $2::uuid[]) AS given (id, lease) WHERE q.id = given.id AND q.lease = given.lease`,
    values: [deliveries.map(({ id }) => id), deliveries.map(({ lease }) => lease)],
  });
};
