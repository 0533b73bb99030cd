/** Erases what the events of a code say of it, a slice of the workspace's events at a time. */
import type { Transaction } from '../../../platform/db/transaction.ts';

/** Events that one statement looks at. */
const sliceRows = 2_000;

/** Behind an event, in the order of the log. */
export interface EventPlace {
  /** As PostgreSQL writes it. */
  eventAt: string;
  eventId: string;
}

/** Which events of a code. */
export interface EventsOf {
  workspaceId: string;
  codeId: string;
  /** Also what its other events say; otherwise only its scans up to a moment are removed. */
  isWhole: boolean;
  upTo: Date;
}

/**
 * Scans and conversions are removed, so that their waiting deliveries and batches are not sent. Other events of the code stay in the feed with its id alone:
 * a receiver that reads on must not miss that the code was deleted.
 * @returns the place behind the last event; undefined if there are no further ones
 */
export const eraseEvents = async (
  tx: Transaction,
  { workspaceId, codeId, isWhole, upTo }: EventsOf,
  after: EventPlace,
): Promise<EventPlace | undefined> => {
  const { rows } = await tx.query<EventPlace & { events: number }>({
    name: 'erase-code-events',
    text: `WITH next AS MATERIALIZED (
        SELECT id, placed_at, type, occurred_at, data ->> 'qrId' = $2 AS is_own FROM webhook_events
        WHERE workspace_id = $1 AND (placed_at, id) > ($3::timestamptz, $4) ORDER BY placed_at, id LIMIT ${sliceRows}
      ), scans AS (
        DELETE FROM webhook_events e USING next n WHERE e.id = n.id AND e.placed_at = n.placed_at AND n.is_own
          AND (n.type = 'scan.created' AND n.occurred_at <= $6 OR n.type = 'conversion.created' AND n.placed_at <= $6)
      ), others AS (
        UPDATE webhook_events e SET data = (SELECT json_object_agg(key, value) FROM json_each(e.data)
            WHERE key IN ('qrId', 'shortId', 'subscriptionId', 'dataType', 'secure', 'changedKeys', 'erased'))
        FROM next n WHERE e.id = n.id AND e.placed_at = n.placed_at AND n.is_own AND $5 AND n.type NOT IN ('scan.created', 'conversion.created')
      )
      SELECT placed_at::text AS "eventAt", id AS "eventId", (SELECT count(*) FROM next)::integer AS events
      FROM next ORDER BY placed_at DESC, id DESC LIMIT 1`,
    values: [workspaceId, codeId, after.eventAt, after.eventId, isWhole, upTo],
  });
  const [last] = rows;
  return last && last.events === sliceRows ? { eventAt: last.eventAt, eventId: last.eventId } : undefined;
};
