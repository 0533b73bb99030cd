/** Pages of the log of deliveries. */
import type { DeliveryListQuery } from '#schemas/api/webhooks.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { TextCursors } from '../../../http/cursors.ts';
import { type LoggedDelivery, type LogPosition, listDeliveries } from './deliveries.ts';

/**
 * Rows that are read for a page of one type: where the type is rare, a page ends there, with fewer entries than were asked for. To
 * read as many of both tables takes some 50 ms.
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

/** @throws {ClientError} INVALID_REQUEST for a cursor of another list */
export const readPage = async (
  db: Queryable,
  cursors: TextCursors,
  webhookId: string,
  { limit, cursor, status, type }: DeliveryListQuery,
): Promise<DeliveryPage> => {
  const before = cursor === undefined ? undefined : fromText(cursors.decode(webhookId, cursor));
  // One more than a page has tells whether there is a next one.
  const asked = (type === undefined ? limit : readMax) + 1;
  const read = await listDeliveries(db, { webhookId, status, before }, asked);
  const fitting = type === undefined ? read : read.filter((each) => each.type === type);
  const deliveries = fitting.slice(0, limit);
  const isFull = fitting.length > limit;
  const last = isFull ? deliveries.at(-1) : read.length === asked ? read.at(-1) : undefined;
  return { deliveries, nextCursor: last ? cursors.encode(webhookId, toText(last)) : null };
};
