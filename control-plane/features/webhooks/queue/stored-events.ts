/** Stores the events that webhooks follow: once, however many webhooks do. */
import type { Transaction } from '../../../platform/db/transaction.ts';

/** An event as it is sent. */
export interface StoredEvent {
  readonly id: string;
  readonly placedAt: Date;
  readonly workspaceId: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** JSON. */
  readonly data: string;
  /** The webhook of a test delivery. */
  readonly onlyFor: string | null;
}

/**
 * Stores the events that are not stored yet.
 * @param events as many as a statement should take; see fan-out.ts
 * @returns the ids of the newly stored ones
 */
export const storeEvents = async (
  tx: Transaction,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ id: string }>({
    name: 'store-webhook-events',
    // Ordered by id, so that two transactions that store the same events do not deadlock.
    text: `INSERT INTO webhook_events (id, placed_at, workspace_id, type, occurred_at, data, only_for)
      SELECT id, placed_at, workspace_id, type, occurred_at, data::json, only_for
      FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
        AS given (id, placed_at, workspace_id, type, occurred_at, data, only_for)
      ORDER BY id ON CONFLICT DO NOTHING RETURNING id`,
    values: [
      events.map(({ id }) => id),
      events.map((event) => event.placedAt.toISOString()),
      events.map(({ workspaceId }) => workspaceId),
      events.map(({ type }) => type),
      events.map(({ occurredAt }) => occurredAt.toISOString()),
      events.map(({ data }) => data),
      events.map(({ onlyFor }) => onlyFor),
    ],
  });
  return new Set(rows.map(({ id }) => id));
};
