/** The bodies of deliveries. They are built only from stored data, so every attempt has the same bytes. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { batchType } from '../queue/enqueue.ts';

/** The key of an event. */
export interface EventKey {
  readonly id: string;
  readonly placedAt: Date;
}

/** An event of the log. */
export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** JSON, as it was stored. */
  readonly data: string;
}

/** The data that a delivery's body is built from. */
export interface Enveloped {
  readonly eventId: string;
  readonly placedAt: Date;
  readonly type: string;
  readonly createdAt: Date;
  readonly batch: readonly { readonly id: string; readonly placedAt: string }[] | null;
}

/** JSON with the keys in the order of SPEC: `id`, `type`, `createdAt`, `data`. */
const envelope = (id: string, type: string, createdAt: Date, data: string): string =>
  `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"createdAt":"${createdAt.toISOString()}","data":${data}}`;

const ofEvent = ({ id, type, occurredAt, data }: LoggedEvent): string => envelope(id, type, occurredAt, data);

/** @returns the events by id; expired ones are missing */
export const loadEvents = async (
  db: Queryable,
  keys: readonly EventKey[],
): Promise<ReadonlyMap<string, LoggedEvent>> => {
  if (keys.length === 0) return new Map();
  const times = keys.map(({ placedAt }) => placedAt.getTime());
  const { rows } = await db.query<LoggedEvent>({
    name: 'load-webhook-events',
    // The time bounds let PostgreSQL skip partitions.
    text: `SELECT e.id, e.type, e.occurred_at AS "occurredAt", e.data::text AS data
      FROM unnest($1::text[], $2::timestamptz[]) AS key (id, placed_at)
        JOIN webhook_events e ON e.id = key.id AND e.placed_at = key.placed_at
      WHERE e.placed_at BETWEEN $3::timestamptz AND $4::timestamptz`,
    values: [
      keys.map(({ id }) => id),
      keys.map(({ placedAt }) => placedAt.toISOString()),
      new Date(Math.min(...times)).toISOString(),
      new Date(Math.max(...times)).toISOString(),
    ],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

/** The keys of the events that a delivery sends. */
export const keysOf = ({ eventId, placedAt, batch }: Enveloped): readonly EventKey[] =>
  batch
    ? batch.map((event) => ({ id: event.id, placedAt: new Date(event.placedAt) }))
    : [{ id: eventId, placedAt }];

/** @param events at least the events of {@link keysOf} @returns undefined if all of its events have expired */
export const bodyOf = (delivery: Enveloped, events: ReadonlyMap<string, LoggedEvent>): string | undefined => {
  const own = keysOf(delivery).flatMap(({ id }) => events.get(id) ?? []);
  const [first] = own;
  if (!first) return undefined;
  if (!delivery.batch) return ofEvent(first);
  const data = `{"events":[${own.map(ofEvent).join(',')}]}`;
  return envelope(delivery.eventId, batchType, delivery.createdAt, data);
};
