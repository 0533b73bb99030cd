/** Events as sent to webhooks: the envelope, and the data of each type with an example. */
import { z } from 'zod';
import type { EventType } from '../events.ts';
import { duplicateRisks } from '../events.ts';
import { countedDevices } from '../scan-event.ts';
import { dataTypes } from './data-types.ts';
import { described } from './described.ts';
import { plan, subscriptionStatus } from './plans.ts';
import { secureKinds } from './protection.ts';
import { ownText } from './text.ts';

const codeTexts = {
  qrId: 'The id of the code.',
  shortId: 'The same: a code has one id.',
  subscriptionId: 'The subscription of the workspace.',
};

const code = { qrId: ownText(), shortId: ownText(), subscriptionId: ownText() };

const scan = z.object(
  described(
    {
      qrId: ownText(),
      shortId: ownText(),
      country: ownText().nullable(),
      device: z.enum(countedDevices),
      routedTo: ownText().optional(),
      variantId: ownText().optional(),
      variantName: ownText().optional(),
    },
    {
      qrId: codeTexts.qrId,
      shortId: codeTexts.shortId,
      country: 'Where the scan was made: ISO 3166-1 alpha-2. Null where that is not known.',
      device: 'The kind of device.',
      routedTo: 'The destination of the routing rule that decided; absent where none did.',
      variantId: 'The variant that the campaign picked; absent where there is none.',
      variantName: 'The name of that variant.',
    },
  ),
);

const epochMs = z.int();

const serializedFields = {
  itemId: ownText(),
  batchId: ownText(),
  productSku: ownText().nullable(),
  productName: ownText().nullable(),
  scanCount: z.int(),
  firstScannedAt: epochMs,
  country: ownText().nullable(),
};
const serializedTexts = {
  itemId: 'The id of the item.',
  batchId: 'The id of its batch.',
  productSku: 'As the batch has it; null where it has none.',
  productName: 'As the batch has it; null where it has none.',
  scanCount: 'The number of this scan among those of the item; the first one’s is 1.',
  firstScannedAt: 'When the item was first scanned, in milliseconds since 1970.',
  country: 'Where this scan was made: ISO 3166-1 alpha-2. Null where that is not known.',
};

const subscriptionFields = {
  subscriptionId: ownText(),
  plan,
  status: subscriptionStatus,
  currentPeriodStart: epochMs.nullable(),
  currentPeriodEnd: epochMs.nullable(),
  provider: ownText(),
};
const subscriptionTexts = {
  subscriptionId: codeTexts.subscriptionId,
  plan: 'The plan that it has now.',
  status: 'Its status now.',
  currentPeriodStart: 'When the paid period began, in milliseconds since 1970. Null where that is not known.',
  currentPeriodEnd: 'When it ends, in milliseconds since 1970. Null where that is not known.',
  provider: 'Who says so: `stripe`, or `operator`.',
};
const subscription = z.object(described(subscriptionFields, subscriptionTexts));

interface EventDocs {
  /** When it happens, as a sentence without its end. */
  readonly summary: string;
  /** Further sentences. */
  readonly description?: string;
  readonly data: z.ZodType;
  readonly example: object;
}

const exampleScan = { qrId: 'nX5cPq7Rk', shortId: 'nX5cPq7Rk', country: 'DE', device: 'mobile' };
const exampleItem = {
  itemId: 'itm7Rk2mQw8Z4nX5cPq1a',
  batchId: 'batch_4nX5cPq7Rk2mQw8Z',
  productSku: 'SKU-7',
  productName: 'Olive oil',
  scanCount: 1,
  firstScannedAt: 1777896000000,
  country: 'DE',
};
const exampleSubscription = {
  subscriptionId: 'sub_4nX5cPq7Rk2mQw8Z',
  plan: 'growth',
  status: 'active',
  currentPeriodStart: 1777896000000,
  currentPeriodEnd: 1780574400000,
  provider: 'stripe',
};
const exampleCode = { qrId: 'nX5cPq7Rk', shortId: 'nX5cPq7Rk', subscriptionId: 'sub_4nX5cPq7Rk2mQw8Z' };

const informational =
  'It is informational: what counts is what the plan lets you do. Further fields may come.';

/** In the order of the documentation. */
export const webhookEvents = {
  'scan.created': {
    summary: 'A dynamic code was scanned',
    description:
      'Those of bots, and previews of links, are not reported. The address and the user agent of the scanner are never sent.',
    data: scan,
    example: exampleScan,
  },
  'form.submitted': {
    summary: 'A visitor has sent a form',
    description: 'What was sent is not in it: fetch it with the list of submissions.',
    data: z.object(
      described(
        { formId: ownText(), formName: ownText(), submissionId: ownText() },
        {
          formId: 'The id of the form.',
          formName: 'Its name.',
          submissionId: 'The id of the submission.',
        },
      ),
    ),
    example: {
      formId: 'form_4nX5cPq7Rk2mQw8Z',
      formName: 'Contact',
      submissionId: 'subm_7Rk2mQw8Z4nX5cPq',
    },
  },
  'qr.created': {
    summary: 'A dynamic code was made',
    data: z.object(
      described(
        { ...code, dataType: z.enum(dataTypes), secure: z.array(z.enum(secureKinds)) },
        { ...codeTexts, dataType: 'What the code leads to.', secure: 'How it is protected.' },
      ),
    ),
    example: { ...exampleCode, dataType: 'url', secure: [] },
  },
  'qr.updated': {
    summary: 'A dynamic code has changed',
    data: z.object(
      described(
        { ...code, changedKeys: z.array(ownText()) },
        {
          ...codeTexts,
          changedKeys: 'The keys of its object that have other values; `password` where that was changed.',
        },
      ),
    ),
    example: { ...exampleCode, changedKeys: ['destination', 'name'] },
  },
  'qr.deleted': {
    summary: 'A dynamic code was deleted: it is inactive from then on',
    data: z.object(described(code, codeTexts)),
    example: exampleCode,
  },
  'serialized.first_scanned': {
    summary: 'A serialized item was scanned for the first time',
    data: z.object(described(serializedFields, serializedTexts)),
    example: exampleItem,
  },
  'serialized.duplicate_scanned': {
    summary: 'A serialized item was scanned again: it may have been copied',
    data: z.object(
      described(
        { ...serializedFields, risk: z.enum(duplicateRisks) },
        {
          ...serializedTexts,
          risk: 'How likely it is a copy: `high` where nobody could have travelled so fast, `medium` in another country, else `low`.',
        },
      ),
    ),
    example: { ...exampleItem, scanCount: 2, country: 'FR', risk: 'medium' },
  },
  'domain.verified': {
    summary: 'A domain belongs to the workspace: its TXT record says so',
    data: z.object(described({ domain: ownText() }, { domain: 'The name of the domain.' })),
    example: { domain: 'go.example.com' },
  },
  'domain.record_missing': {
    summary: 'The TXT record of a verified domain is gone',
    description: 'Where it does not come back in time, the domain is switched off.',
    data: z.object(
      described(
        { domain: ownText(), missingSince: ownText(), switchOffAt: ownText() },
        {
          domain: 'The name of the domain.',
          missingSince: 'Since when, in ISO 8601, as the domain has it.',
          switchOffAt: 'When it is switched off, in ISO 8601.',
        },
      ),
    ),
    example: {
      domain: 'go.example.com',
      missingSince: '2026-05-04T12:00:00.000Z',
      switchOffAt: '2026-06-03T12:00:00.000Z',
    },
  },
  'domain.switched_off': {
    summary: 'The TXT record of a domain was gone for 30 days: no codes are served on it any more',
    data: z.object(described({ domain: ownText() }, { domain: 'The name of the domain.' })),
    example: { domain: 'go.example.com' },
  },
  'webhook.paused': {
    summary: 'A webhook is paused, as its deliveries have failed for days, or its receiver has answered 410',
    data: z.object(
      described(
        { webhookId: ownText(), url: ownText(), failingSince: z.iso.datetime() },
        {
          webhookId: 'The id of the webhook.',
          url: 'Its URL.',
          failingSince: 'When the first of these failures was: ISO 8601, UTC.',
        },
      ),
    ),
    example: {
      webhookId: 'wh_4nX5cPq7Rk2mQw8Z',
      url: 'https://example.com/hooks',
      failingSince: '2026-05-04T12:00:00.000Z',
    },
  },
  'subscription.activated': {
    summary: 'The subscription has begun, or is paid for again',
    description: informational,
    data: subscription,
    example: exampleSubscription,
  },
  'subscription.renewed': {
    summary: 'Another period of the subscription is paid for',
    description: informational,
    data: subscription,
    example: exampleSubscription,
  },
  'subscription.cancelled': {
    summary: 'The subscription was cancelled',
    description: informational,
    data: subscription,
    example: { ...exampleSubscription, plan: 'free', status: 'cancelled' },
  },
  'subscription.payment_failed': {
    summary: 'A payment for the subscription has failed',
    description: informational,
    data: subscription,
    example: { ...exampleSubscription, status: 'past_due' },
  },
  'subscription.plan_changed': {
    summary: 'The subscription has another plan',
    description: informational,
    data: z.object(
      described(
        { ...subscriptionFields, previousPlan: plan },
        { ...subscriptionTexts, previousPlan: 'The plan that it had before.' },
      ),
    ),
    example: { ...exampleSubscription, previousPlan: 'starter' },
  },
  'subscription.refunded': {
    summary: 'A payment for the subscription was given back',
    description: informational,
    data: z.object(
      described(
        { ...subscriptionFields, amount: z.int(), currency: ownText() },
        {
          ...subscriptionTexts,
          amount: 'How much, in the smallest unit of the currency.',
          currency: 'ISO 4217, in lower case.',
        },
      ),
    ),
    example: { ...exampleSubscription, amount: 2900, currency: 'eur' },
  },
} as const satisfies Record<EventType, EventDocs>;

/** Typed for loops over all of them. */
export const webhookEventTypes = Object.keys(webhookEvents) as EventType[];

/** The `type` of a delivery of several scans. */
export const scanBatchType = 'scan.created.batch';

const envelopeTexts = {
  id: 'The id of the event. Whatever is delivered twice has the same one.',
  type: 'What has happened.',
  createdAt: 'When it happened: ISO 8601, UTC.',
  data: 'Depends on the type.',
};

/** The body of a delivery. */
export const webhookEnvelope = <Type extends string>(type: Type, data: z.ZodType) =>
  z.object(
    described({ id: ownText(), type: z.literal(type), createdAt: z.iso.datetime(), data }, envelopeTexts),
  );

const exampleEnvelope = (type: string, data: object) => ({
  id: 'evt_7Rk2mQw8Z4nX5cPq',
  type,
  createdAt: '2026-05-04T12:00:00.000Z',
  data,
});

export interface WebhookMessage {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  readonly body: z.ZodType;
  readonly example: object;
}

const messageOf = (type: EventType): WebhookMessage => {
  const { summary, description = '', data, example }: EventDocs = webhookEvents[type];
  return {
    type,
    summary,
    description,
    body: webhookEnvelope(type, data),
    example: exampleEnvelope(type, example),
  };
};

const scanBatch: WebhookMessage = {
  type: scanBatchType,
  summary: 'Dynamic codes were scanned',
  description:
    'What webhooks with `batch` are sent in place of `scan.created`: several scans at once, the oldest first.',
  body: webhookEnvelope(
    scanBatchType,
    z.object(
      described(
        { events: z.array(webhookEnvelope('scan.created', scan)) },
        { events: 'The scans, each as it would be sent alone.' },
      ),
    ),
  ),
  example: exampleEnvelope(scanBatchType, {
    events: [
      exampleEnvelope('scan.created', exampleScan),
      { ...exampleEnvelope('scan.created', exampleScan), id: 'evt_2mQw8Z4nX5cPq7Rk' },
    ],
  }),
};

/** Every body that is sent to webhooks. */
export const webhookMessages: readonly WebhookMessage[] = [...webhookEventTypes.map(messageOf), scanBatch];
