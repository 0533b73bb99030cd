/** The feed of events, as the API returns it. */
import { z } from 'zod';
import type { EventType } from '../events.ts';
import { boundedText, ownRecord, ownText, wholeNumberParameter } from './text.ts';
import { webhookEventTypes } from './webhook-events.ts';

export const eventsKeptDays = 30;
/** Ours have 100 characters. */
const afterLengthMax = 200;
/** More than all types together. */
const typesLengthMax = 1_000;

/** Scans would flood the store of events. */
export const isInFeed = (type: EventType): boolean => type !== 'scan.created';

const feedTypes = webhookEventTypes.filter(isInFeed);

const whyNoTypes = (types: readonly string[]): string | undefined => {
  const unknown = types.find((type) => !feedTypes.some((one) => one === type));
  if (unknown === 'scan.created') return 'must not have scan.created: scans are not in this feed';
  if (unknown !== undefined) return `must be types of events, separated by commas: ${feedTypes.join(', ')}`;
  return new Set(types).size < types.length ? 'must not have a type twice' : undefined;
};

const typesParameter = boundedText(typesLengthMax).transform((text, context): readonly EventType[] => {
  const types = text.split(',');
  const message = whyNoTypes(types);
  if (message === undefined) return types as EventType[];
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** The `after` of a reader that begins at the end. */
export const fromNowOn = 'now';

export const eventFeedQuery = z.object({
  after: boundedText(afterLengthMax)
    .optional()
    .describe(
      'Where to go on: the `nextCursor` of an earlier response, or the `id` of an event in this feed. `now` begins ' +
        `at the end: the response has a cursor and no events. Omit it to begin ${eventsKeptDays} days ago.`,
    ),
  types: typesParameter
    .optional()
    .describe(
      'Only events of these types, separated by commas. `scan.created` is not in this feed. Send the same types with each page.',
    ),
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of events in a page.'),
});
export type EventFeedQuery = z.output<typeof eventFeedQuery>;

/** The same as the body of a delivery. */
export const eventObject = z.object({
  id: ownText().describe('The id of the event. A webhook gets it with the same id.'),
  type: z.enum(webhookEventTypes).describe('What has happened.'),
  createdAt: z.iso.datetime().describe('When it happened (ISO 8601, UTC).'),
  data: ownRecord(z.unknown()).describe(
    'The details, which depend on the type: see each type under “Webhooks” in this document.',
  ),
});
export type EventObject = z.output<typeof eventObject>;

export const eventFeed = z.object({
  data: z
    .array(eventObject)
    .describe('A page of events, in the order in which they were stored, oldest first.'),
  pagination: z
    .object({
      limit: z.int().describe('The largest number of events in the page.'),
      cursor: ownText().nullable().describe('The `after` of the request. Null if it had none.'),
      nextCursor: ownText().describe(
        'The `after` of the next request. It is never null: store it, and ask again later for newer events.',
      ),
      hasMore: z
        .boolean()
        .describe('Whether more events are there already. If not, wait before you ask again.'),
    })
    .describe('The position of the page.'),
  completeUntil: z.iso
    .datetime()
    .nullable()
    .describe(
      'If `hasMore` is false: every change that was answered before this time is in the feed up to `nextCursor` (ISO ' +
        '8601, UTC). It stands still while a change takes long. Null if it is not known at the moment.',
    ),
});
export type EventFeed = z.output<typeof eventFeed>;
