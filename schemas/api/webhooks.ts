/** Webhooks, their deliveries and replays, as the API takes and returns them. Times in answers are ISO 8601. */
import { z } from 'zod';
import { described } from './described.ts';
import { wholeNumber } from './numbers.ts';
import { parseInstant } from './protection.ts';
import { boundedArray, boundedText, label, ownRecord, ownText, wholeNumberParameter } from './text.ts';
import { emptyToNull, whyNoWebUrl } from './web-address.ts';
import { scanBatchType, webhookEventTypes } from './webhook-events.ts';
import {
  attemptTexts,
  batchTexts,
  deliveryQueryTexts,
  deliveryTexts,
  replayObjectTexts,
  replayQueryTexts,
  replayTexts,
  secretText,
  webhookObjectTexts,
  webhookTexts,
} from './webhooks-texts.ts';

/** Per workspace. */
export const webhooksMax = 20;
export const webhookUrlLengthMax = 2000;
const descriptionLengthMax = 200;
/** Matches all types of events. */
export const allEvents = '*';

export const webhookStatuses = ['active', 'paused'] as const;
export const pausedReasons = ['owner', 'failing'] as const;

const url = boundedText(webhookUrlLengthMax).superRefine((text, context) => {
  const message = whyNoWebUrl(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
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

const batch = z
  .strictObject(described({ maxEvents: wholeNumber(1, 1000), maxSeconds: wholeNumber(1, 60) }, batchTexts))
  .nullable();

const description = label(descriptionLengthMax).nullable().transform(emptyToNull);

export const createWebhookBody = z.strictObject(
  described(
    {
      url,
      events,
      description: description.optional(),
      batch: batch.optional(),
      status: z.enum(webhookStatuses).optional(),
    },
    webhookTexts,
  ),
);
export type CreateWebhookBody = z.output<typeof createWebhookBody>;

export const updateWebhookBody = z.strictObject(
  described(
    {
      url: url.optional(),
      events: events.optional(),
      description: description.optional(),
      batch: batch.optional(),
      status: z.enum(webhookStatuses).optional(),
    },
    webhookTexts,
  ),
);
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>;

const instant = z.iso.datetime();

const objectFields = {
  id: ownText(),
  url: ownText(),
  description: ownText().nullable(),
  events: z.array(ownText()),
  batch: z.object(described({ maxEvents: z.int(), maxSeconds: z.int() }, batchTexts)).nullable(),
  status: z.enum(webhookStatuses),
  pausedReason: z.enum(pausedReasons).nullable(),
  pausedAt: instant.nullable(),
  failingSince: instant.nullable(),
  overflowingSince: instant.nullable(),
  previousSecretExpiresAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
};

export const webhookObject = z.object(described(objectFields, webhookObjectTexts));
export type WebhookObject = z.output<typeof webhookObject>;

export const createdWebhookObject = z.object(
  described({ ...objectFields, secret: ownText() }, { ...webhookObjectTexts, secret: secretText }),
);

export const webhookList = z.object(
  described({ webhooks: z.array(webhookObject) }, { webhooks: 'All of the workspace, newest first.' }),
);

export const rotatedSecret = z.object(
  described(
    { secret: ownText(), previousSecretExpiresAt: instant },
    { secret: secretText, previousSecretExpiresAt: webhookObjectTexts.previousSecretExpiresAt },
  ),
);

export const testWebhookBody = z.strictObject(
  described(
    { type: eventType.optional() },
    { type: 'The type of the event. Without it the first one that the webhook follows.' },
  ),
);

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const notInstant =
  'must be an ISO 8601 instant such as 2030-01-31T12:00:00Z, or whole milliseconds since 1970';
/** The end of the year 9999: PostgreSQL cannot read later times in this notation. */
const instantMsMax = 253_402_300_799_999;

/** Ours have at most 84 characters. */
const cursorLengthMax = 200;
const idLengthMax = 100;

/** @returns a Date of the years 1970 to 9999 */
const instantParameter = () =>
  boundedText(40, notInstant).transform((text, context) => {
    const ms = parseInstant(text);
    if (Number.isInteger(ms) && ms >= 0 && ms <= instantMsMax) return new Date(ms);
    context.addIssue({ code: 'custom', message: notInstant });
    return z.NEVER;
  });

export const deliveryListQuery = z.object(
  described(
    {
      limit: wholeNumberParameter(1, 100).default(25),
      cursor: boundedText(cursorLengthMax).optional(),
      status: z.enum(deliveryStatuses).optional(),
      type: z.enum([...webhookEventTypes, scanBatchType]).optional(),
      from: instantParameter().optional(),
      to: instantParameter().optional(),
      eventId: boundedText(idLengthMax).min(1).optional(),
      qrId: boundedText(idLengthMax).min(1).optional(),
    },
    deliveryQueryTexts,
  ),
);
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

const attempt = z.object(
  described(
    {
      at: instant,
      status: z.int().nullable(),
      durationMs: z.number(),
      error: ownText().nullable(),
      response: ownText().nullable(),
    },
    attemptTexts,
  ),
);

const deliveryFields = {
  id: ownText(),
  eventId: ownText(),
  type: ownText(),
  test: z.boolean(),
  status: z.enum(deliveryStatuses),
  attempts: z.array(attempt),
  nextAttemptAt: instant.nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
};

export const deliveryObject = z.object(described(deliveryFields, deliveryTexts));
export type DeliveryObject = z.output<typeof deliveryObject>;

const sentRequest = z.object(
  described(
    {
      headers: ownRecord(ownText()),
      body: ownText(),
    },
    {
      headers:
        'Those that are the same in every attempt. Each attempt has its own `webhook-timestamp`, and signatures, which are not stored.',
      body: 'The same bytes in every attempt.',
    },
  ),
);

export const wholeDeliveryObject = z.object(
  described(
    { ...deliveryFields, request: sentRequest.nullable() },
    { ...deliveryTexts, request: 'What is sent. Null where its event is kept no more.' },
  ),
);

const paginationOf = (what: string) =>
  z.object(
    described(
      { limit: z.int(), cursor: ownText().nullable(), nextCursor: ownText().nullable() },
      {
        limit: `${what} of a page.`,
        cursor: 'As it was sent; null on the first page.',
        nextCursor: 'Asks for the next page; null on the last one.',
      },
    ),
  );

export const deliveryList = z.object(
  described(
    {
      data: z.array(deliveryObject),
      pagination: paginationOf('Deliveries'),
    },
    { data: 'A page, the newest events first.', pagination: 'Where the page is.' },
  ),
);

const replayables = ['failed', 'missed', 'all'] as const;
/** The events that a replay sends. */
export type Replayable = (typeof replayables)[number];

/** Smaller numbers are seconds: as milliseconds they would be in 1973 or earlier. */
const epochMsMin = 100_000_000_000;

/** @returns a Date of the years 1970 to 9999 */
const pastInstant = z
  .union(
    [
      boundedText(40, notInstant),
      z.number().meta({ override: { type: 'integer', minimum: epochMsMin, maximum: instantMsMax } }),
    ],
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be a string or a number') },
  )
  .transform((given, context) => {
    if (typeof given === 'number' && given >= 0 && given < epochMsMin) {
      context.addIssue({
        code: 'custom',
        message: 'must be in milliseconds or ISO 8601; these seem to be seconds',
      });
      return z.NEVER;
    }
    const ms = typeof given === 'string' ? parseInstant(given) : given;
    if (Number.isInteger(ms) && ms >= 0 && ms <= instantMsMax) return new Date(ms);
    const message = ms > instantMsMax ? 'must be before the year 10000' : notInstant;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const replayBody = z.strictObject(
  described(
    {
      from: pastInstant,
      to: pastInstant,
      types: boundedArray(eventType, { min: 1, max: webhookEventTypes.length })
        .superRefine(refuseTwice)
        .optional(),
      which: z.enum(replayables).default('failed'),
    },
    replayTexts,
  ),
);
export type ReplayBody = z.output<typeof replayBody>;

const replayStatuses = ['pending', 'processing', 'completed', 'failed'] as const;

export const replayObject = z.object(
  described(
    {
      id: ownText(),
      webhookId: ownText(),
      from: instant,
      to: instant,
      types: z.array(ownText()).nullable(),
      which: z.enum(replayables),
      status: z.enum(replayStatuses),
      sent: z.int(),
      at: instant.nullable(),
      createdAt: instant,
      updatedAt: instant,
      finishedAt: instant.nullable(),
    },
    replayObjectTexts,
  ),
);
export type ReplayObject = z.output<typeof replayObject>;

export const replayListQuery = z.object(
  described(
    { limit: wholeNumberParameter(1, 100).default(25), cursor: boundedText(cursorLengthMax).optional() },
    replayQueryTexts,
  ),
);

export const replayList = z.object(
  described(
    { data: z.array(replayObject), pagination: paginationOf('Replays') },
    { data: 'A page, the newest first.', pagination: 'Where the page is.' },
  ),
);
