/** Webhooks, their deliveries and replays, as the API takes and returns them. Times in answers are ISO 8601. */
import { z } from 'zod';
import { describedLike } from './described-like.ts';
import { givenInstant, instantParameter } from './instants.ts';
import { wholeNumber } from './numbers.ts';
import { distinctTags, tagName } from './tags.ts';
import { boundedArray, boundedText, label, ownRecord, ownText, wholeNumberParameter } from './text.ts';
import { emptyToNull, whyNoWebUrl } from './web-address.ts';
import { scanBatchType, webhookEventTypes } from './webhook-events.ts';

/** Per workspace. */
export const webhooksMax = 20;
export const webhookUrlLengthMax = 2000;
const descriptionLengthMax = 200;
const idLengthMax = 100;
/** Matches all types of events. */
export const allEvents = '*';

export const webhookStatuses = ['active', 'paused'] as const;
export const pausedReasons = ['owner', 'failing'] as const;

const url = boundedText(webhookUrlLengthMax).superRefine((text, context) => {
  const message = whyNoWebUrl(text);
  if (message !== undefined) context.addIssue({ code: 'invalid_format', format: 'url', message });
});

const refuseTwice = (types: readonly unknown[], context: z.RefinementCtx): void => {
  const again = types.findIndex((type, at) => types.indexOf(type) < at);
  if (again >= 0) context.addIssue({ code: 'custom', path: [again], message: 'must not be given twice' });
};

const eventType = z.enum(webhookEventTypes);

const events = boundedArray(z.enum([allEvents, ...webhookEventTypes]), {
  min: 1,
  max: webhookEventTypes.length,
}).superRefine((types, context) => {
  refuseTwice(types, context);
  if (types.length > 1 && types.includes(allEvents))
    context.addIssue({ code: 'custom', message: `must have nothing beside ${allEvents}` });
});

const batch = z.strictObject({
  maxEvents: wholeNumber(1, 1000).describe('A delivery has at most this many scans.'),
  maxSeconds: wholeNumber(1, 60).describe('The first scan of a batch waits at most this many seconds.'),
});

/** Entries of each list. Each transaction with events of the workspace reads them. */
export const filterEntriesMax = 100;

const filterIds = boundedArray(boundedText(idLengthMax), { min: 1, max: filterEntriesMax }).superRefine(
  refuseTwice,
);

const filterFields = {
  codeIds: filterIds.optional().describe('The ids of codes.'),
  tags: boundedArray(tagName, { min: 1, max: filterEntriesMax })
    .transform(distinctTags)
    .optional()
    .describe(
      'Codes with any of these tags, in whatever case. A tag that is renamed or merged stays in the filter.',
    ),
  folderIds: filterIds.optional().describe('Codes in any of these folders, by their ids.'),
};

const filter = z
  .strictObject(filterFields)
  .refine((lists) => Object.keys(lists).length > 0, 'must have codeIds, tags or folderIds');
export type WebhookFilter = z.output<typeof filter>;

/** A filter as it is stored. */
export interface StoredFilter {
  readonly codeIds?: readonly string[] | undefined;
  readonly tags?: readonly { readonly key: string; readonly name: string }[] | undefined;
  readonly folderIds?: readonly string[] | undefined;
}

const description = label(descriptionLengthMax).nullable().transform(emptyToNull);

const webhookFields = {
  url: url.describe(
    'Where deliveries are posted: an absolute http or https URL at a public address. With http, anyone on ' +
      'the network path can read and change the deliveries.',
  ),
  events: events.describe(
    'The types of events to deliver. `*` stands for all types, including future ones, and must be the ' +
      'only entry.',
  ),
  filter: filter
    .nullable()
    .optional()
    .describe(
      'Restricts the events of codes (`scan.created`, `qr.created`, `qr.updated`, `qr.deleted`, `qr.suspended`, ' +
        '`qr.suspension_lifted`, `qr.destination_broken`, `qr.destination_recovered`) to codes that any of the lists has, by ' +
        'their tags and their folder when the event happens. All other events are delivered as `events` says. `null` ' +
        'removes the filter.',
    ),
  description: description.optional().describe('A note for your own use. `null` or `""` clears it.'),
  batch: batch
    .nullable()
    .optional()
    .describe(
      'Delivers several scans at once, as `scan.created.batch` instead of `scan.created`. Other events ' +
        'are not affected. Requires `scan.created` or `*` in `events`. `null` turns it off.',
    ),
  status: z
    .enum(webhookStatuses)
    .optional()
    .describe(
      'While it is `paused`, events are kept as long as there is room. They are delivered when it is ' +
        '`active` again.',
    ),
};

export const createWebhookBody = z.strictObject(webhookFields);
export type CreateWebhookBody = z.output<typeof createWebhookBody>;

export const updateWebhookBody = z.strictObject({
  ...webhookFields,
  url: webhookFields.url.optional(),
  events: webhookFields.events.optional(),
});
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>;

const instant = z.iso.datetime();

const objectFields = describedLike(webhookFields, {
  id: ownText().describe('The id of the webhook.'),
  url: ownText(),
  description: ownText().nullable().describe('Your note. Null if there is none.'),
  events: z.array(ownText()),
  filter: z
    .object(
      describedLike(filterFields, {
        codeIds: z.array(ownText()).optional(),
        tags: z.array(ownText()).optional(),
        folderIds: z.array(ownText()).optional(),
      }),
    )
    .nullable()
    .describe('The codes whose events are delivered: any of the lists has them. Null: all codes.'),
  batch: z
    .object(describedLike(batch.shape, { maxEvents: z.int(), maxSeconds: z.int() }))
    .nullable()
    .describe('How scans are grouped. Null if each scan is delivered singly.'),
  status: z.enum(webhookStatuses),
  pausedReason: z
    .enum(pausedReasons)
    .nullable()
    .describe(
      'Why it is paused. `owner`: you paused it. `failing`: its deliveries failed for 5 days (1 day if ' +
        'its URL has never answered 2xx), or its URL answered 410. Null while it is active.',
    ),
  pausedAt: instant.nullable().describe('When it was paused (ISO 8601, UTC). Null while it is active.'),
  failingSince: instant
    .nullable()
    .describe(
      'When the first attempt after the last successful one failed (ISO 8601, UTC). Null if none has failed.',
    ),
  overflowingSince: instant
    .nullable()
    .describe(
      'When events stopped getting deliveries because 1,000,000 already wait (ISO 8601, UTC). A replay of ' +
        '`missed` events delivers them. Null otherwise.',
    ),
  previousSecretExpiresAt: instant
    .nullable()
    .describe(
      'The time until which deliveries are also signed with the previous secret (ISO 8601, UTC). Null if ' +
        'they are not.',
    ),
  createdAt: instant.describe('When it was created (ISO 8601, UTC).'),
  updatedAt: instant.describe('When it was last changed (ISO 8601, UTC).'),
});

export const webhookObject = z.object(objectFields);
export type WebhookObject = z.output<typeof webhookObject>;

const secret = ownText().describe(
  'The secret that signs the deliveries: `whsec_` and base64. It is shown only in this answer.',
);

export const createdWebhookObject = z.object({ ...objectFields, secret });

export const webhookList = z.object({
  webhooks: z.array(webhookObject).describe('All webhooks of the workspace, newest first.'),
});

export const rotatedSecret = z.object({
  secret,
  previousSecretExpiresAt: instant.describe(
    'The time until which deliveries are also signed with the previous secret (ISO 8601, UTC).',
  ),
});

export const testWebhookBody = z.strictObject({
  type: eventType
    .optional()
    .describe('The type of the event. Default: the first type that the webhook follows.'),
});

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Ours have at most 84 characters. */
const cursorLengthMax = 200;

const pageQuery = {
  limit: wholeNumberParameter(1, 100).default(25).describe('The largest number of entries in the page.'),
  cursor: boundedText(cursorLengthMax).optional().describe('The `nextCursor` of the previous page.'),
};

export const deliveryListQuery = z.object({
  ...pageQuery,
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
  type: z
    .enum([...webhookEventTypes, scanBatchType])
    .optional()
    .describe('Only deliveries of this type.'),
  from: instantParameter()
    .optional()
    .describe(
      'Only deliveries of events at or after this time: ISO 8601 with an offset, a date alone (midnight ' +
        'UTC), or milliseconds since 1970.',
    ),
  to: instantParameter()
    .optional()
    .describe(
      'Only deliveries of events before this time. A date alone is its beginning, midnight UTC: events of that day are not ' +
        'included.',
    ),
  eventId: boundedText(idLengthMax)
    .min(1)
    .optional()
    .describe(
      'Only the delivery of the event with this id. A scan that was sent in a batch is found only by the ' +
        'id of the batch.',
    ),
  qrId: boundedText(idLengthMax)
    .min(1)
    .optional()
    .describe('Only deliveries of events of the code with this id. Batches are left out.'),
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

const attempt = z.object({
  at: instant.describe('When the request was sent (ISO 8601, UTC).'),
  status: z.int().nullable().describe('The HTTP status of the answer. Null if there was no answer.'),
  durationMs: z.number().describe('How long it took, in milliseconds.'),
  error: ownText().nullable().describe('What went wrong. Null if nothing did, or if the status shows it.'),
  response: ownText().nullable().describe('The beginning of the answer’s body. Null if there is none.'),
});

const deliveryFields = {
  id: ownText().describe('The id of the delivery, which is sent as `webhook-id`.'),
  eventId: ownText().describe(
    'The id of the event, as in the body. For a batch, the id of the batch; the ids of its events are in ' +
      '`data.events`.',
  ),
  type: ownText().describe('The type of the event, or `scan.created.batch`.'),
  test: z
    .boolean()
    .describe(
      'Whether it is a test delivery: an example event that you requested. It is sent with the header ' +
        '`webhook-test: true`.',
    ),
  status: z
    .enum(deliveryStatuses)
    .describe(
      '`pending` until it `succeeded`, or `failed` after six attempts. After that, only a resend or a ' +
        'replay sends it again.',
    ),
  attempts: z.array(attempt).describe('The requests so far, oldest first.'),
  nextAttemptAt: instant
    .nullable()
    .describe(
      'When the next attempt is due (ISO 8601, UTC). A time in the past means that it is due and waits ' +
        'for a free slot of the webhook, or for the end of `Retry-After`. After 1,000 attempts in a day ' +
        'at URLs of the workspace that have never answered 2xx, it waits for 15 minutes. Null if there ' +
        'will be no further attempt, during an attempt, and while the webhook is paused.',
    ),
  createdAt: instant.describe('When it was created (ISO 8601, UTC).'),
  finishedAt: instant
    .nullable()
    .describe('When it succeeded or finally failed (ISO 8601, UTC). Null while it is pending.'),
};

export const deliveryObject = z.object(deliveryFields);
export type DeliveryObject = z.output<typeof deliveryObject>;

const sentRequest = z.object({
  headers: ownRecord(ownText()).describe(
    'The headers that are the same in every attempt. `webhook-timestamp` and the signatures differ in ' +
      'each attempt, and are not stored.',
  ),
  body: ownText().describe('The body. Its bytes are the same in every attempt.'),
});

export const wholeDeliveryObject = z.object({
  ...deliveryFields,
  request: sentRequest.nullable().describe('The request that is sent. Null if its event is no longer kept.'),
});

const pagination = z
  .object({
    limit: z.int().describe('The largest number of entries in the page.'),
    cursor: ownText().nullable().describe('The `cursor` of the request. Null on the first page.'),
    nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
  })
  .describe('The position of the page.');

export const deliveryList = z.object({
  data: z.array(deliveryObject).describe('A page of deliveries, newest events first.'),
  pagination,
});

const replayables = ['failed', 'missed', 'all'] as const;
/** The events that a replay sends. */
export type Replayable = (typeof replayables)[number];

export const replayBody = z.strictObject({
  from: givenInstant.describe(
    'The start of the range, included in it: ISO 8601 with an offset, a date alone (midnight UTC), or ' +
      'milliseconds since 1970.',
  ),
  to: givenInstant.describe(
    'The end of the range, not included in it; a date alone is midnight UTC, its beginning. It must be later than `from`, and within the last 30 days, ' +
      'for which events are kept. A time in the future means now.',
  ),
  types: boundedArray(eventType, { min: 1, max: webhookEventTypes.length })
    .superRefine(refuseTwice)
    .optional()
    .describe('Only events of these types. Default: the types that the webhook follows now.'),
  which: z
    .enum(replayables)
    .default('failed')
    .describe(
      '`failed`: events whose delivery finally failed. `missed`: events that have no delivery, because ' +
        'they came while the webhook overflowed, before it existed, or when it did not follow them. Scans that no ' +
        'webhook followed are not kept. `all`: both, and the events that were delivered. A `filter` of the webhook ' +
        'applies to events without a delivery.',
    ),
});
export type ReplayBody = z.output<typeof replayBody>;

const replayStatuses = ['pending', 'processing', 'completed', 'failed'] as const;

export const replayObject = z.object(
  describedLike(replayBody.shape, {
    id: ownText().describe('The id of the replay.'),
    webhookId: ownText().describe('The id of the webhook.'),
    from: instant.describe('The start of the range, included in it (ISO 8601, UTC).'),
    to: instant.describe('The end of the range, not included in it (ISO 8601, UTC).'),
    types: z
      .array(ownText())
      .nullable()
      .describe('Only events of these types. Null: the types that the webhook follows.'),
    which: z.enum(replayables),
    status: z
      .enum(replayStatuses)
      .describe(
        '`completed`: all deliveries are in the queue. `failed`: the work could not be finished; another ' +
          'replay of `failed` or `missed` events sends the rest. Both are final.',
      ),
    sent: z.int().describe('The number of deliveries put into the queue so far.'),
    at: instant
      .nullable()
      .describe('The progress: the time of the last event examined (ISO 8601, UTC). Null before the first.'),
    createdAt: instant.describe('When it was requested (ISO 8601, UTC).'),
    updatedAt: instant.describe('When it last made progress (ISO 8601, UTC).'),
    finishedAt: instant.nullable().describe('When it ended (ISO 8601, UTC). Null before that.'),
  }),
);
export type ReplayObject = z.output<typeof replayObject>;

export const replayListQuery = z.object(pageQuery);

export const replayList = z.object({
  data: z.array(replayObject).describe('A page of replays, newest first.'),
  pagination,
});
