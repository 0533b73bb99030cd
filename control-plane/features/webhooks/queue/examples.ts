/** An example event of each type, for test deliveries and the documentation. Its ids exist nowhere. */
import type { Event, EventData, EventType } from '#schemas/events.ts';

const serializedScan = {
  batchId: 'batch_3Kq8fNw2VxR7mTzB',
  productSku: 'SKU-1001',
  productName: 'Example product',
  firstScannedAt: 1_767_225_600_000,
  country: 'FR',
};

const subscription = {
  subscriptionId: 'sub_7hYd3RkW9pQm2XtC',
  plan: 'business',
  status: 'active',
  currentPeriodStart: 1_767_225_600_000,
  currentPeriodEnd: 1_769_904_000_000,
  provider: 'stripe',
} as const;

const data: { readonly [Type in EventType]: EventData[Type] } = {
  'scan.created': { country: 'FR', device: 'mobile' },
  'conversion.created': {
    conversionId: 'conv_8Wd4nPx2RkTq6VzB',
    event: 'purchase',
    value: 49.9,
    currency: 'EUR',
    scannedAt: '2026-01-01T00:00:00.000Z',
    occurredAt: '2026-01-01T00:12:00.000Z',
  },
  'form.submitted': { formName: 'Example form', submissionId: 'subm_5Rt8mKx2NcVw9QzE' },
  'qr.created': { dataType: 'url', secure: [] },
  'qr.updated': { changedKeys: ['destination', 'name'] },
  'qr.deleted': {},
  'qr.suspended': { reason: 'Reported as phishing', since: '2026-01-01T00:00:00.000Z' },
  'qr.suspension_lifted': {},
  'qr.destination_broken': {
    destination: 'https://example.com/gone',
    httpStatus: 404,
    since: '2026-01-01T00:00:00.000Z',
  },
  'qr.destination_recovered': { destination: 'https://example.com/back' },
  'domain.verified': { domain: 'go.example.com' },
  'domain.record_missing': {
    domain: 'go.example.com',
    missingSince: '2026-01-01T00:00:00.000Z',
    switchOffAt: '2026-01-31T00:00:00.000Z',
  },
  'domain.switched_off': { domain: 'go.example.com' },
  'serialized.first_scanned': { ...serializedScan, scanCount: 1 },
  'serialized.duplicate_scanned': { ...serializedScan, scanCount: 2, risk: 'low' },
  'serialized.item_marked': {
    batchId: serializedScan.batchId,
    productSku: serializedScan.productSku,
    productName: serializedScan.productName,
    mark: 'stolen',
    previousMark: null,
    note: 'Lost on the way to Lyon',
    markedAt: 1_767_225_600_000,
  },
  'webhook.paused': {
    webhookId: 'wh_2Nf6vTq8XkRz4WmD',
    url: 'https://hooks.example.com/waymark',
    failingSince: '2026-01-01T00:00:00.000Z',
  },
  'subscription.activated': subscription,
  'subscription.renewed': subscription,
  'subscription.cancelled': { ...subscription, plan: 'free', status: 'cancelled' },
  'subscription.payment_failed': { ...subscription, plan: 'growth', status: 'past_due' },
  'subscription.plan_changed': { ...subscription, previousPlan: 'growth' },
  'subscription.refunded': { ...subscription, amount: 4_900, currency: 'eur' },
};

/** The subjects of the examples. */
const subjects: Readonly<Record<string, string>> = {
  scan: 'Ab3dEf9Hk',
  conversion: 'Ab3dEf9Hk',
  qr: 'Ab3dEf9Hk',
  form: 'form_4Wd7kPz9QmXc2RtV',
  serialized: 'Hk7mQz3XwTn9RcVb',
  domain: 'dom_8Qk2vRz6NtXw4McP',
  webhook: 'wh_2Nf6vTq8XkRz4WmD',
  subscription: subscription.subscriptionId,
};

/** A made-up event of the type. @param about its workspace and time */
export const exampleEvent = (
  type: EventType,
  about: Pick<Event, 'id' | 'workspaceId' | 'occurredAt'>,
): Event => {
  const subject = { id: subjects[type.split('.')[0]!]!, version: 1 };
  // The compiler does not see that the data and the type belong together.
  return { ...about, type, subject, data: data[type] } as Event;
};
