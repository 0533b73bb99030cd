/** Pages of the log of deliveries. */
import type { DeliveryListQuery } from '#schemas/api/webhooks.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { EventKey } from '../delivery/envelope.ts';
import { deliveryIdOf } from '../queue/delivery-id.ts';
import { findDelivery, type LoggedDelivery, type LogPosition, listDeliveries } from './deliveries.ts';

/** @param keys at most some thousands: each is an index lookup @returns the ids of the events of the code */
const findEventsOfCode = async (
  db: Queryable,
  keys: readonly EventKey[],
  codeId: string,
): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set();
  const times = keys.map(({ placedAt }) => placedAt.getTime());
  const { rows } = await db.query<{ id: string }>({
    name: 'find-webhook-events-of-code',
    // The time bounds let PostgreSQL skip partitions.
    text: `SELECT e.id FROM unnest($1::text[], $2::timestamptz[]) AS key (id, placed_at)
        JOIN webhook_events e ON e.id = key.id AND e.placed_at = key.placed_at
      WHERE e.placed_at BETWEEN $3::timestamptz AND $4::timestamptz AND e.data ->> 'qrId' = $5`,
    values: [
      keys.map(({ id }) => id),
      keys.map(({ placedAt }) => placedAt.toISOString()),
      new Date(Math.min(...times)).toISOString(),
      new Date(Math.max(...times)).toISOString(),
      codeId,
    ],
  });
  return new Set(rows.map(({ id }) => id));
};

/**
 * Rows read for a page of one type or one code. If matches are rare, the page ends there, with fewer entries than
 * requested. Reading this many rows of both tables takes some 50 ms.
 */
const readMax = 2_000;

export interface DeliveryPage {
  readonly deliveries: readonly LoggedDelivery[];
  readonly nextCursor: string | null;
}

const toText = ({ placedAt, id }: LogPosition): string => `${placedAt.getTime()}.${id}`;

const fromText = (text: string): LogPosition => {
  const [ms = '', id = ''] = text.split('.');
  return { placedAt: new Date(Number(ms)), id };
};

/** The deliveries of the requested type and code. */
const fittingOf = async (
  db: Queryable,
  read: readonly LoggedDelivery[],
  { type, qrId }: DeliveryListQuery,
): Promise<readonly LoggedDelivery[]> => {
  const ofType = type === undefined ? read : read.filter((each) => each.type === type);
  if (qrId === undefined) return ofType;
  const ofCode = await findEventsOfCode(
    db,
    ofType.map(({ eventId, placedAt }) => ({ id: eventId, placedAt })),
    qrId,
  );
  return ofType.filter(({ eventId }) => ofCode.has(eventId));
};

const readPage = async (
  db: Queryable,
  cursors: TextCursors,
  webhookId: string,
  query: DeliveryListQuery,
): Promise<DeliveryPage> => {
  const { limit, cursor, status, type, qrId, from, to } = query;
  const before = cursor === undefined ? undefined : fromText(cursors.decode(webhookId, cursor));
  // One more than a page, to see whether there is a next one.
  const asked = (type === undefined && qrId === undefined ? limit : readMax) + 1;
  const read = await listDeliveries(db, { webhookId, status, from, to, before }, asked);
  const fitting = await fittingOf(db, read, query);
  const deliveries = fitting.slice(0, limit);
  const isFull = fitting.length > limit;
  const last = isFull ? deliveries.at(-1) : read.length === asked ? read.at(-1) : undefined;
  return { deliveries, nextCursor: last ? cursors.encode(webhookId, toText(last)) : null };
};

/** An event has one delivery, whose id derives from it: the other filters decide whether it is listed. */
const readOne = async (
  db: Queryable,
  webhookId: string,
  eventId: string,
  query: DeliveryListQuery,
): Promise<DeliveryPage> => {
  const found = await findDelivery(db, webhookId, deliveryIdOf(webhookId, eventId));
  const { status, from, to } = query;
  const isWanted =
    found !== undefined &&
    (status === undefined || found.status === status) &&
    (from === undefined || found.placedAt >= from) &&
    (to === undefined || found.placedAt < to);
  return { deliveries: isWanted ? await fittingOf(db, [found], query) : [], nextCursor: null };
};

/** @throws {ClientError} INVALID_REQUEST for a cursor of another list */
export const readLog = (
  db: Queryable,
  cursors: TextCursors,
  webhookId: string,
  query: DeliveryListQuery,
): Promise<DeliveryPage> =>
  query.eventId === undefined
    ? readPage(db, cursors, webhookId, query)
    : readOne(db, webhookId, query.eventId, query);
