/** The documentation of the feed of events. */
import { eventFeed, eventObject, eventsKeptDays } from '#schemas/api/event-feed.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';

const tag = 'Event feed';

const exampleEvent = {
  id: 'evt_7Rk2mQw8Z4nX5cPq',
  type: 'qr.updated',
  createdAt: '2026-05-04T12:00:00.000Z',
  data: {
    qrId: 'nX5cPq7Rk',
    shortId: 'nX5cPq7Rk',
    subscriptionId: 'sub_4nX5cPq7Rk2mQw8Z',
    changedKeys: ['destination'],
  },
};

export const eventFeedDocs: OperationDocs = {
  id: 'readEvents',
  tag,
  summary: 'Read the feed of events',
  description:
    'Returns the events of the workspace, oldest first, exactly as webhooks get them: for receivers that cannot be ' +
    'reached from outside, and as samples. No webhook is needed. Store `pagination.nextCursor`, and send it as ' +
    '`after` to get what came since.\n\n' +
    'No event is skipped: an event that is stored late comes behind all cursors that were handed out before. ' +
    'Therefore an event may appear only once all earlier changes have ended, usually within milliseconds. ' +
    'Events are ordered as they were stored; `createdAt` may be out of order.\n\n' +
    'With `types`, a page ends when 2,000 events have been searched: it may have fewer events than `limit`, or no ' +
    'events, although `hasMore` is true. `scan.created` is not in this feed, because there may be thousands in a ' +
    `second. Events are kept for ${eventsKeptDays} days.\n\n` +
    'If the database has lost its last changes in a failover, a cursor from before may be ahead of it, and new events would come ' +
    'to stand before it. Such a cursor is 410: begin again without `after`, and ignore events whose ids you know.',
  responses: {
    200: {
      description: 'A page of events',
      schema: eventFeed,
      example: {
        data: [exampleEvent],
        pagination: {
          limit: 25,
          cursor: null,
          nextCursor: 'q83vEjRWeJq83vEjMC43ODEuMTc3Nzg5NjAwMDAwMC4',
          hasMore: false,
        },
        completeUntil: '2026-05-04T12:00:02.000Z',
      },
    },
  },
  refusals: {
    410:
      `\`after\` is older than ${eventsKeptDays} days: events behind it are no longer kept. Or the database has lost its ` +
      'last changes in a failover, and the cursor is ahead of it',
  },
  refusalExamples: {
    400: {
      error: 'after must be an event of the last 30 days in this feed; given: "evt_7Rk2mQw8Z4nX5cPq"',
      code: 'INVALID_REQUEST',
    },
    410: {
      error: 'after is older than 30 days: events behind it are no longer kept. Begin again without it',
      code: 'CURSOR_EXPIRED',
    },
  },
};

export const readEventDocs: OperationDocs = {
  id: 'getEvent',
  tag,
  summary: 'Get an event',
  description:
    `Returns an event of the last ${eventsKeptDays} days, as webhooks get it. A \`scan.created\` is there only if a ` +
    'webhook followed it.',
  params: { eventId: { description: 'The `id` of the event.', example: 'evt_7Rk2mQw8Z4nX5cPq' } },
  responses: { 200: { description: 'The event', schema: eventObject, example: exampleEvent } },
};
