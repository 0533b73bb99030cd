/** The data of each event, key by key. */
import { expect, test } from 'vitest';
import type { Event, EventType } from '#schemas/events.ts';
import { exampleEvent } from './examples.ts';
import { payloadOf, webhookEventTypes } from './payloads.ts';

const subscriptionState = [
  'currentPeriodEnd',
  'currentPeriodStart',
  'plan',
  'provider',
  'status',
  'subscriptionId',
];
const serializedScan = [
  'batchId',
  'country',
  'firstScannedAt',
  'itemId',
  'productName',
  'productSku',
  'scanCount',
];

const keys: { readonly [Type in EventType]: readonly string[] } = {
  'scan.created': ['country', 'device', 'qrId', 'shortId'],
  'conversion.created': [
    'conversionId',
    'currency',
    'event',
    'occurredAt',
    'qrId',
    'scannedAt',
    'shortId',
    'value',
  ],
  'form.submitted': ['formId', 'formName', 'submissionId'],
  'qr.created': ['dataType', 'qrId', 'secure', 'shortId', 'subscriptionId'],
  'qr.updated': ['changedKeys', 'qrId', 'shortId', 'subscriptionId'],
  'qr.deleted': ['qrId', 'shortId', 'subscriptionId'],
  'qr.suspended': ['qrId', 'reason', 'shortId', 'since', 'subscriptionId'],
  'qr.suspension_lifted': ['qrId', 'shortId', 'subscriptionId'],
  'qr.destination_broken': ['destination', 'httpStatus', 'qrId', 'shortId', 'since', 'subscriptionId'],
  'qr.destination_recovered': ['destination', 'qrId', 'shortId', 'subscriptionId'],
  'domain.verified': ['domain'],
  'domain.record_missing': ['domain', 'missingSince', 'switchOffAt'],
  'domain.switched_off': ['domain'],
  'serialized.first_scanned': serializedScan,
  'serialized.duplicate_scanned': [...serializedScan, 'risk'].sort(),
  'serialized.item_marked': [
    'batchId',
    'itemId',
    'mark',
    'markedAt',
    'note',
    'previousMark',
    'productName',
    'productSku',
  ],
  'webhook.paused': ['failingSince', 'url', 'webhookId'],
  'subscription.activated': subscriptionState,
  'subscription.renewed': subscriptionState,
  'subscription.cancelled': subscriptionState,
  'subscription.payment_failed': subscriptionState,
  'subscription.plan_changed': [...subscriptionState, 'previousPlan'].sort(),
  'subscription.refunded': [...subscriptionState, 'amount', 'currency'].sort(),
};

const about = { id: 'evt_1', workspaceId: 'ws_1', occurredAt: new Date(0) };
const subscriptionId = 'sub_7hYd3RkW9pQm2XtC';

test.each(Object.entries(keys))('the data of %s has exactly its keys', (type, expected) => {
  const payload = payloadOf(exampleEvent(type as EventType, about), subscriptionId);
  expect(Object.keys(payload).sort()).toEqual(expected);
});

test('every event type has a payload', () => {
  expect([...webhookEventTypes].sort()).toEqual(Object.keys(keys).sort());
});

test('qrId and shortId are the code’s id, subscriptionId is its workspace’s', () => {
  expect(payloadOf(exampleEvent('qr.deleted', about), subscriptionId)).toEqual({
    qrId: 'Ab3dEf9Hk',
    shortId: 'Ab3dEf9Hk',
    subscriptionId,
  });
});

test('the deletion of a code has `erased` only if the code was erased', () => {
  const event = exampleEvent('qr.deleted', about) as Event<'qr.deleted'>;
  const gone: Event<'qr.deleted'> = { ...event, data: { erased: true } };
  const erased = payloadOf(gone, subscriptionId);
  expect(erased).toEqual({ ...payloadOf(event, subscriptionId), erased: true });
  expect(payloadOf(event, subscriptionId)).not.toHaveProperty('erased');
});

test('a scan has the rule that chose its destination, and the variant of its campaign, only if there is one', () => {
  const scan = exampleEvent('scan.created', about) as Event<'scan.created'>;
  const variant = { variantId: 'v1', variantName: 'Blue' };
  const routed = { ...scan, data: { ...scan.data, routedTo: 'https://example.com/fr', ...variant } };
  expect(payloadOf(routed, subscriptionId)).toEqual({
    qrId: 'Ab3dEf9Hk',
    shortId: 'Ab3dEf9Hk',
    country: 'FR',
    device: 'mobile',
    routedTo: 'https://example.com/fr',
    ...variant,
  });
  expect(payloadOf(scan, subscriptionId)).not.toHaveProperty('routedTo');
});

test('additional keys of a scan are not sent on', () => {
  const scan = exampleEvent('scan.created', about) as Event<'scan.created'>;
  const curious = { ...scan, data: { ...scan.data, ip: '192.0.2.1', userAgent: 'Mozilla/5.0' } };
  expect(Object.keys(payloadOf(curious, subscriptionId)).sort()).toEqual(keys['scan.created']);
});

test.each(['scan.created', 'conversion.created', 'qr.created', 'qr.updated', 'qr.deleted'] as const)(
  'the data of %s has the externalId, the metadata and the notes of its code, if it has them',
  (type) => {
    const event = exampleEvent(type, about);
    const own = { externalId: 'table 7', metadata: { room: 'bar' }, notes: 'by the door' };
    const data = { ...event.data, ...own };
    expect(payloadOf({ ...event, data } as Event, subscriptionId)).toEqual({
      ...payloadOf(event, subscriptionId),
      ...own,
    });
  },
);
