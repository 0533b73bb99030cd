/** Events as sent to webhooks: the envelope, and the data of each type with an example. */
import { z } from 'zod';
import type { EventType } from '../events.ts';
import { duplicateRisks } from '../events.ts';
import { countedDevices } from '../scan-event.ts';
import { itemMarks } from '../verification.ts';
import { dataTypes } from './data-types.ts';
import { sentOwnFields } from './own-fields.ts';
import { plan, subscriptionStatus } from './plans.ts';
import { secureKinds } from './protection.ts';
import { ownText } from './text.ts';

const codeFields = {
  qrId: ownText().describe('The id of the code.'),
  shortId: ownText().describe('The same as `qrId`: a code has only one id.'),
  ...sentOwnFields,
};
const code = {
  ...codeFields,
  subscriptionId: ownText().describe('The subscription of the workspace.'),
};

const scan = z.object({
  ...codeFields,
  country: ownText().nullable().describe('The country of the scan (ISO 3166-1 alpha-2). Null if unknown.'),
  device: z.enum(countedDevices).describe('The kind of device.'),
  routedTo: ownText()
    .optional()
    .describe('The destination of the routing rule that decided. Absent if none did.'),
  variantId: ownText().optional().describe('The variant that the campaign picked. Absent if there is none.'),
  variantName: ownText().optional().describe('The name of that variant.'),
});

const conversion = z.object({
  ...codeFields,
  conversionId: ownText().describe('The id of the conversion.'),
  event: ownText().describe('What happened, as it was reported.'),
  value: z
    .number()
    .optional()
    .describe('What it was worth, in units of `currency`. Absent if it has no value.'),
  currency: ownText().optional().describe('The currency of `value`: ISO 4217, in upper case.'),
  scannedAt: z.iso.datetime().describe('When the scan was made (ISO 8601, UTC).'),
  occurredAt: z.iso.datetime().describe('When it happened (ISO 8601, UTC).'),
  variantId: ownText().optional().describe('The variant that the scan went to. Absent if there is none.'),
  ruleId: ownText().optional().describe('The routing rule that the scan matched. Absent if none did.'),
});

const epochMs = z.int();

const serializedFields = {
  itemId: ownText().describe('The id of the item.'),
  batchId: ownText().describe('The id of its batch.'),
  productSku: ownText().nullable().describe('The SKU of its batch. Null if the batch has none.'),
  productName: ownText().nullable().describe('The product name of its batch. Null if the batch has none.'),
  scanCount: z.int().describe('The number of this scan among the item’s scans. The first scan is 1.'),
  firstScannedAt: epochMs.describe('When the item was first scanned, in milliseconds since 1970.'),
  country: ownText().nullable().describe('The country of this scan (ISO 3166-1 alpha-2). Null if unknown.'),
};

const subscriptionFields = {
  subscriptionId: code.subscriptionId,
  plan: plan.describe('The current plan.'),
  status: subscriptionStatus.describe('The current status.'),
  currentPeriodStart: epochMs
    .nullable()
    .describe('When the paid period began, in milliseconds since 1970. Null if unknown.'),
  currentPeriodEnd: epochMs
    .nullable()
    .describe('When the paid period ends, in milliseconds since 1970. Null if unknown.'),
  provider: ownText().describe('Who reported it: `stripe` or `operator`.'),
};
const subscription = z.object(subscriptionFields);

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

const domainName = ownText().describe('The name of the domain.');

const informational = 'For information only: what counts is what the plan allows. More fields may be added.';

/** In the order of the documentation. */
export const webhookEvents = {
  'scan.created': {
    summary: 'A dynamic code was scanned',
    description:
      'Scans by bots and link previews are not reported. The IP address and the user agent of the visitor ' +
      'are never sent.',
    data: scan,
    example: exampleScan,
  },
  'conversion.created': {
    summary: 'A conversion of a scan was reported',
    description: 'A repeated report of it has no event, nor has a conversion of a scan that does not count.',
    data: conversion,
    example: {
      qrId: 'nX5cPq7Rk',
      shortId: 'nX5cPq7Rk',
      conversionId: 'conv_7Rk2mQw8Z4nX5cPq',
      event: 'purchase',
      value: 49.9,
      currency: 'EUR',
      scannedAt: '2026-05-04T11:48:00.000Z',
      occurredAt: '2026-05-04T12:00:00.000Z',
    },
  },
  'form.submitted': {
    summary: 'A visitor has sent a form',
    description: 'The submitted values are not included. Fetch them with the list of submissions.',
    data: z.object({
      formId: ownText().describe('The id of the form.'),
      formName: ownText().describe('The name of the form.'),
      submissionId: ownText().describe('The id of the submission.'),
    }),
    example: {
      formId: 'form_4nX5cPq7Rk2mQw8Z',
      formName: 'Contact',
      submissionId: 'subm_7Rk2mQw8Z4nX5cPq',
    },
  },
  'qr.created': {
    summary: 'A dynamic code was made',
    data: z.object({
      ...code,
      dataType: z.enum(dataTypes).describe('What the code leads to.'),
      secure: z.array(z.enum(secureKinds)).describe('How the code is protected.'),
      importId: ownText()
        .optional()
        .describe('The import that made it from a link of another service. Absent if none did.'),
    }),
    example: { ...exampleCode, dataType: 'url', secure: [] },
  },
  'qr.updated': {
    summary: 'A dynamic code has changed',
    data: z.object({
      ...code,
      changedKeys: z
        .array(ownText())
        .describe(
          'The keys of the code’s object whose values have changed. `password` if the password was changed.',
        ),
    }),
    example: { ...exampleCode, changedKeys: ['destination', 'name'] },
  },
  'qr.deleted': {
    summary: 'A dynamic code was deleted: it is inactive from then on. With `erased` it is gone for good',
    data: z.object({
      ...code,
      erased: z
        .literal(true)
        .optional()
        .describe(
          'The code was erased, and cannot be activated again. The event then has nothing else of the code than its id. Absent if it was deactivated.',
        ),
    }),
    example: exampleCode,
  },
  'qr.suspended': {
    summary: 'The operator has suspended a dynamic code',
    description:
      'Scans get a page that says so, and 403, until the operator lifts the suspension. An update of the code does not ' +
      'lift it.',
    data: z.object({
      ...code,
      reason: ownText().describe('Why, in the operator’s words.'),
      since: z.iso.datetime().describe('Since when: ISO 8601 in UTC.'),
    }),
    example: { ...exampleCode, reason: 'Reported as phishing', since: '2026-05-04T12:00:00.000Z' },
  },
  'qr.suspension_lifted': {
    summary: 'The operator has lifted the suspension of a dynamic code',
    data: z.object(code),
    example: exampleCode,
  },
  'qr.destination_broken': {
    summary: 'Two checks in a row of a code’s destination have failed',
    description: 'Codes with `healthCheck` are checked once a day.',
    data: z.object({
      ...code,
      destination: ownText().describe('The destination that was checked.'),
      httpStatus: z.int().nullable().describe('The status of its answer. Null without an answer.'),
      since: z.iso.datetime().describe('When the first of the failures was found: ISO 8601 in UTC.'),
    }),
    example: {
      ...exampleCode,
      destination: 'https://example.com/gone',
      httpStatus: 404,
      since: '2026-05-04T12:00:00.000Z',
    },
  },
  'qr.destination_recovered': {
    summary: 'A destination that was reported as broken answers again',
    data: z.object({ ...code, destination: ownText().describe('The destination that was checked.') }),
    example: { ...exampleCode, destination: 'https://example.com/back' },
  },
  'serialized.first_scanned': {
    summary: 'A serialized item was scanned for the first time',
    data: z.object(serializedFields),
    example: exampleItem,
  },
  'serialized.duplicate_scanned': {
    summary: 'A serialized item was scanned again: it may have been copied',
    data: z.object({
      ...serializedFields,
      risk: z
        .enum(duplicateRisks)
        .describe(
          'How likely the item is a copy. `high`: no traveller could have been that fast. `medium`: the ' +
            'scan is in another country. `low`: all other scans.',
        ),
    }),
    example: { ...exampleItem, scanCount: 2, country: 'FR', risk: 'medium' },
  },
  'serialized.item_marked': {
    summary:
      'A serialized item was marked as recalled, stolen or returned, or its mark was changed or removed',
    data: z.object({
      itemId: serializedFields.itemId,
      batchId: serializedFields.batchId,
      productSku: serializedFields.productSku,
      productName: serializedFields.productName,
      mark: z.enum(itemMarks).nullable().describe('The mark now. Null if it was removed.'),
      previousMark: z.enum(itemMarks).nullable().describe('The mark before. Null if there was none.'),
      note: ownText().nullable().describe('The note of the mark. Null if there is none.'),
      markedAt: epochMs
        .nullable()
        .describe('When it happened, in milliseconds since 1970. Null without a mark.'),
    }),
    example: {
      itemId: exampleItem.itemId,
      batchId: exampleItem.batchId,
      productSku: exampleItem.productSku,
      productName: exampleItem.productName,
      mark: 'stolen',
      previousMark: null,
      note: 'Lost on the way to Lyon',
      markedAt: 1777896000000,
    },
  },
  'domain.verified': {
    summary: 'A domain belongs to the workspace: its TXT record says so',
    data: z.object({ domain: domainName }),
    example: { domain: 'go.example.com' },
  },
  'domain.record_missing': {
    summary: 'The TXT record of a verified domain is gone',
    description: 'If it does not come back in time, the domain is switched off.',
    data: z.object({
      domain: domainName,
      missingSince: z.iso.datetime().describe('The `missingSince` of the domain (ISO 8601).'),
      switchOffAt: z.iso.datetime().describe('When the domain is switched off (ISO 8601).'),
    }),
    example: {
      domain: 'go.example.com',
      missingSince: '2026-05-04T12:00:00.000Z',
      switchOffAt: '2026-06-03T12:00:00.000Z',
    },
  },
  'domain.switched_off': {
    summary: 'The TXT record of a domain was gone for 30 days: no codes are served on it any more',
    data: z.object({ domain: domainName }),
    example: { domain: 'go.example.com' },
  },
  'webhook.paused': {
    summary: 'A webhook is paused, as its deliveries have failed for days, or its receiver has answered 410',
    data: z.object({
      webhookId: ownText().describe('The id of the webhook.'),
      url: ownText().describe('The URL of the webhook.'),
      failingSince: z.iso.datetime().describe('When the first of these failures happened (ISO 8601, UTC).'),
    }),
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
    data: z.object({ ...subscriptionFields, previousPlan: plan.describe('The plan before the change.') }),
    example: { ...exampleSubscription, previousPlan: 'starter' },
  },
  'subscription.refunded': {
    summary: 'A payment for the subscription was given back',
    description: informational,
    data: z.object({
      ...subscriptionFields,
      amount: z.int().describe('The amount, in the smallest unit of the currency.'),
      currency: ownText().describe('The currency: ISO 4217, in lower case.'),
    }),
    example: { ...exampleSubscription, amount: 2900, currency: 'eur' },
  },
} as const satisfies Record<EventType, EventDocs>;

/** Typed for loops over all of them. */
export const webhookEventTypes = Object.keys(webhookEvents) as EventType[];

/** The `type` of a delivery of several scans. */
export const scanBatchType = 'scan.created.batch';

/** The body of a delivery. */
export const webhookEnvelope = <Type extends string>(type: Type, data: z.ZodType) =>
  z.object({
    id: ownText().describe('The id of the event. An event that is delivered twice has the same id.'),
    type: z.literal(type).describe('What has happened.'),
    createdAt: z.iso.datetime().describe('When it happened (ISO 8601, UTC).'),
    data: data.describe('The details, which depend on the type.'),
  });

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
    'Sent to webhooks with `batch` instead of `scan.created`: several scans at once, oldest first.',
  body: webhookEnvelope(
    scanBatchType,
    z.object({
      events: z
        .array(webhookEnvelope('scan.created', scan))
        .describe('The scans, each as it would be sent singly.'),
    }),
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
