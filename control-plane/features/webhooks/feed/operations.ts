/** /api/qr/events */
import { type EventFeed, type EventObject, eventFeedQuery } from '#schemas/api/event-feed.ts';
import type { EventType } from '#schemas/events.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { findOwned } from '../../../platform/db/owned.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { type LoggedEvent, loadEvents } from '../delivery/envelope.ts';
import { eventFeedDocs, readEventDocs } from './docs.ts';
import { createFeedReader } from './page.ts';
import { ownedEvents } from './store.ts';

/** The same as the body of its deliveries. */
const toObject = ({ id, type, occurredAt, data }: LoggedEvent): EventObject => ({
  id,
  type: type as EventType,
  createdAt: occurredAt.toISOString(),
  data: JSON.parse(data),
});

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the event is another workspace's */
const findEvent = (pool: Pool, workspaceId: string, id: string): Promise<LoggedEvent> =>
  findOwned<LoggedEvent>(pool, ownedEvents, workspaceId, id, {
    name: 'find-event',
    text: `SELECT id, type, occurred_at AS "occurredAt", data::text AS data FROM webhook_events WHERE id = $1 AND workspace_id = $2
           AND only_for IS NULL`,
  });

export const createFeedOperations = (pool: Pool, cursors: TextCursors): Operation[] => {
  const readPage = createFeedReader(pool, cursors);
  return [
    operation({
      method: 'get',
      path: '/api/qr/events',
      query: eventFeedQuery,
      docs: eventFeedDocs,
      async handle({ principal: { workspaceId }, query }) {
        const { entries, nextCursor, hasMore, completeUntil } = await readPage(workspaceId, query);
        const events = await loadEvents(pool, entries);
        const body: EventFeed = {
          data: entries.flatMap(({ id }) => {
            const event = events.get(id);
            return event ? [toObject(event)] : [];
          }),
          pagination: { limit: query.limit, cursor: query.after ?? null, nextCursor, hasMore },
          completeUntil: completeUntil?.toISOString() ?? null,
        };
        return { body };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/events/:eventId',
      docs: readEventDocs,
      async handle({ principal: { workspaceId }, params: { eventId = '' } }) {
        return { body: toObject(await findEvent(pool, workspaceId, eventId)) };
      },
    }),
  ];
};
