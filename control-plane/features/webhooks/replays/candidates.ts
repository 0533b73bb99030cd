/** What a slice of a replay looks at. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { deliveryIdOf } from '../queue/delivery-id.ts';
import { batchType, type Replayed } from '../queue/enqueue.ts';
import type { CodeOfEvent } from '../queue/payloads.ts';
import type { StoredReplay } from './store.ts';

/** A delivery or an event, with its place in the order in which they are looked at. */
export interface Candidate extends Replayed {
  /** Of the delivery, or of the event. */
  readonly id: string;
}

const rangeOf = ({ fromAt, toAt, cursorAt, cursorId }: StoredReplay): unknown[] => [
  fromAt.toISOString(),
  toAt.toISOString(),
  cursorAt?.toISOString() ?? '-infinity',
  cursorId ?? '',
];

/** Finished deliveries of the range behind the cursor; only failed ones, if the replay is of these. */
export const listFinished = async (
  db: Queryable,
  replay: StoredReplay,
  limit: number,
): Promise<Candidate[]> => {
  const { rows } = await db.query<Candidate>(
    `SELECT id, event_id AS "eventId", placed_at AS "placedAt", type FROM webhook_deliveries
     WHERE webhook_id = $1 AND placed_at >= $2 AND placed_at < $3 AND (placed_at, id) > ($4::timestamptz, $5)
       ${replay.which === 'failed' ? `AND status = 'failed'` : ''}
     ORDER BY placed_at, id LIMIT $6`,
    [replay.webhookId, ...rangeOf(replay), limit],
  );
  return rows;
};

interface EventCandidate extends Candidate {
  /** The code that it is about, as it was then; null if it is about none. */
  readonly code: CodeOfEvent | null;
  readonly isTest: boolean;
}

/** Events of the workspace in the range behind the cursor, those of test deliveries included. */
export const listEvents = async (
  db: Queryable,
  replay: StoredReplay,
  limit: number,
): Promise<EventCandidate[]> => {
  const { rows } = await db.query<EventCandidate>(
    `SELECT id, id AS "eventId", placed_at AS "placedAt", type, only_for IS NOT NULL AS "isTest",
       CASE WHEN data ->> 'qrId' IS NOT NULL THEN json_build_object('id', data ->> 'qrId',
         'tagIds', coalesce(tag_ids, '{}'), 'folderId', folder_id) END AS code
     FROM webhook_events
     WHERE workspace_id = $1 AND placed_at >= $2 AND placed_at < $3 AND (placed_at, id) > ($4::timestamptz, $5)
     ORDER BY placed_at, id LIMIT $6`,
    [replay.workspaceId, ...rangeOf(replay), limit],
  );
  return rows;
};

/**
 * A batch is placed where its first scan is. Scans of a batch are of one time, but where a redirector reports late: then a scan
 * may be delivered a second time, in another batch.
 */
const batchSpreadMinutes = 10;

/** The events that have a delivery, alone or in a batch, finished or not; and the events that wait for a batch. */
export const listDelivered = async (
  db: Queryable,
  webhookId: string,
  events: readonly Candidate[],
): Promise<ReadonlySet<string>> => {
  const [first, last] = [events[0]!.placedAt, events.at(-1)!.placedAt];
  const { rows } = await db.query<{ eventId: string }>({
    name: 'list-delivered-webhook-events',
    text: `WITH batches AS (
             SELECT batch FROM webhook_deliveries WHERE webhook_id = $1 AND type = '${batchType}'
               AND placed_at BETWEEN $4::timestamptz - interval '${batchSpreadMinutes} minutes' AND $5::timestamptz
             UNION ALL SELECT batch FROM webhook_queue WHERE webhook_id = $1 AND type = '${batchType}'
               AND placed_at BETWEEN $4::timestamptz - interval '${batchSpreadMinutes} minutes' AND $5::timestamptz
           )
           SELECT event_id AS "eventId" FROM webhook_deliveries
             WHERE id = ANY ($2) AND placed_at BETWEEN $4::timestamptz AND $5::timestamptz
           UNION ALL SELECT event_id FROM webhook_queue WHERE id = ANY ($2)
           UNION ALL SELECT each.id FROM batches, json_to_recordset(batch) AS each (id text) WHERE each.id = ANY ($3)
           UNION ALL SELECT event_id FROM webhook_collected_scans WHERE webhook_id = $1 AND event_id = ANY ($3)`,
    values: [
      webhookId,
      events.map(({ eventId }) => deliveryIdOf(webhookId, eventId)),
      events.map(({ eventId }) => eventId),
      first.toISOString(),
      last.toISOString(),
    ],
  });
  return new Set(rows.map(({ eventId }) => eventId));
};

/** Whether so many deliveries of a webhook wait; more are not counted. */
export const areWaiting = async (db: Queryable, webhookId: string, deliveries: number): Promise<boolean> => {
  const { rows } = await db.query<{ waiting: number }>({
    name: 'count-waiting-webhook-deliveries',
    text: `SELECT count(*)::integer AS waiting FROM (SELECT FROM webhook_queue WHERE webhook_id = $1 LIMIT $2) AS waiting`,
    values: [webhookId, deliveries],
  });
  return rows[0]!.waiting >= deliveries;
};
