/** Events that a webhook wants, as they are kept: once, whatever number of webhooks wants them. */
import type { Transaction } from '../../../db/transaction.ts';

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
 * Stores those that are not stored yet.
 * @param events not more than a statement should take; see fan-out.ts
 * @returns the ids of those that were not
 */
export const storeEvents = async (
  tx: Transaction,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ id: string }>({
    name: 'store-webhook-events',
    // In the order of their ids: two transactions that store the same ones do not wait for each other in a circle.
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
