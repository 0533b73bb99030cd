/** Stores events: once, however many webhooks follow them. */
import type { QueryConfig } from 'pg';
import type { EventLabels } from '#schemas/events.ts';
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
  /** Whether the feed of events has it, see ../feed/store.ts. */
  readonly isInFeed: boolean;
  /** Kept for replays, which choose events as they were chosen when they happened. */
  readonly labels?: EventLabels | undefined;
}

const arrayOf = (labels: EventLabels | undefined): string | null =>
  labels && labels.tagIds.length > 0 ? `{${labels.tagIds.join(',')}}` : null;

/**
 * Stores the events that are not stored yet; its rows have the ids of those.
 * @param events as many as a statement should take; see fan-out.ts
 */
export const storingEvents = (events: readonly StoredEvent[]): QueryConfig => ({
  name: 'store-webhook-events',
  // Ordered by id, so that two transactions that store the same events do not deadlock.
  text: `INSERT INTO webhook_events (id, placed_at, workspace_id, type, occurred_at, data, only_for, feed_timeline, feed_xid, tag_ids, folder_id)
      SELECT id, placed_at, workspace_id, type, occurred_at, data::json, only_for,
        CASE WHEN in_feed THEN (SELECT timeline FROM record_timeline) END,
        CASE WHEN in_feed THEN pg_current_xact_id() END, tag_ids::integer[], folder_id
      FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::boolean[],
          $9::text[], $10::text[])
        AS given (id, placed_at, workspace_id, type, occurred_at, data, only_for, in_feed, tag_ids, folder_id)
      ORDER BY id ON CONFLICT DO NOTHING RETURNING id`,
  values: [
    events.map(({ id }) => id),
    events.map((event) => event.placedAt.toISOString()),
    events.map(({ workspaceId }) => workspaceId),
    events.map(({ type }) => type),
    events.map(({ occurredAt }) => occurredAt.toISOString()),
    events.map(({ data }) => data),
    events.map(({ onlyFor }) => onlyFor),
    events.map(({ isInFeed }) => isInFeed),
    events.map(({ labels }) => arrayOf(labels)),
    events.map(({ labels }) => labels?.folderId ?? null),
  ],
});

/** @returns the ids of the newly stored ones */
export const storeEvents = async (
  tx: Transaction,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ id: string }>(storingEvents(events));
  return new Set(rows.map(({ id }) => id));
};
