/** The `data` of each event's envelope. Of a visitor it has only the device and the country. */
import type { Event, EventLabels, EventType } from '#schemas/events.ts';

type Payload = Readonly<Record<string, unknown>>;

/** @param subscriptionId pays for the workspace of the event */
type ToPayload<Type extends EventType> = (event: Event<Type>, subscriptionId: string) => Payload;

/** Both ids are the code's, which is already short. */
const codeOf = ({
  subject,
  data: { externalId, metadata, notes },
}: Event<Extract<EventType, `qr.${string}`> | 'scan.created' | 'conversion.created'>) => ({
  qrId: subject.id,
  shortId: subject.id,
  ...(externalId !== undefined && { externalId }),
  ...(metadata !== undefined && { metadata }),
  ...(notes !== undefined && { notes }),
});

const ofSerializedScan = ({
  subject,
  data,
}: Event<'serialized.first_scanned' | 'serialized.duplicate_scanned'>): Payload => ({
  itemId: subject.id,
  batchId: data.batchId,
  productSku: data.productSku,
  productName: data.productName,
  scanCount: data.scanCount,
  firstScannedAt: data.firstScannedAt,
  country: data.country,
});

type SubscriptionEvent = Event<Extract<EventType, `subscription.${string}`>>;

const ofSubscription = ({ data }: SubscriptionEvent): Payload => ({
  subscriptionId: data.subscriptionId,
  plan: data.plan,
  status: data.status,
  currentPeriodStart: data.currentPeriodStart,
  currentPeriodEnd: data.currentPeriodEnd,
  provider: data.provider,
});

const ofScan: ToPayload<'scan.created'> = (event) => {
  const { country, device, routedTo, variantId, variantName } = event.data;
  return {
    ...codeOf(event),
    country,
    device,
    ...(routedTo !== undefined && { routedTo }),
    ...(variantId !== undefined && { variantId }),
    ...(variantName !== undefined && { variantName }),
  };
};

const ofConversion: ToPayload<'conversion.created'> = (event) => {
  const { conversionId, event: name, value, currency, scannedAt, occurredAt, variantId, ruleId } = event.data;
  return {
    ...codeOf(event),
    conversionId,
    event: name,
    ...(value !== undefined && { value }),
    ...(currency !== undefined && { currency }),
    scannedAt,
    occurredAt,
    ...(variantId !== undefined && { variantId }),
    ...(ruleId !== undefined && { ruleId }),
  };
};

const payloads: { readonly [Type in EventType]: ToPayload<Type> } = {
  'scan.created': ofScan,
  'conversion.created': ofConversion,
  'form.submitted': ({ subject, data }) => ({
    formId: subject.id,
    formName: data.formName,
    submissionId: data.submissionId,
  }),
  'qr.created': (event, subscriptionId) => ({
    ...codeOf(event),
    dataType: event.data.dataType,
    secure: event.data.secure,
    ...(event.data.importId !== undefined && { importId: event.data.importId }),
    subscriptionId,
  }),
  'qr.updated': (event, subscriptionId) => ({
    ...codeOf(event),
    subscriptionId,
    changedKeys: event.data.changedKeys,
  }),
  'qr.deleted': (event, subscriptionId) => ({
    ...codeOf(event),
    subscriptionId,
    ...(event.data.erased && { erased: true }),
  }),
  'qr.suspended': (event, subscriptionId) => ({
    ...codeOf(event),
    subscriptionId,
    reason: event.data.reason,
    since: event.data.since,
  }),
  'qr.suspension_lifted': (event, subscriptionId) => ({ ...codeOf(event), subscriptionId }),
  'qr.destination_broken': (event, subscriptionId) => ({
    ...codeOf(event),
    subscriptionId,
    destination: event.data.destination,
    httpStatus: event.data.httpStatus,
    since: event.data.since,
  }),
  'qr.destination_recovered': (event, subscriptionId) => ({
    ...codeOf(event),
    subscriptionId,
    destination: event.data.destination,
  }),
  'domain.verified': ({ data }) => ({ domain: data.domain }),
  'domain.record_missing': ({ data: { domain, missingSince, switchOffAt } }) => ({
    domain,
    missingSince,
    switchOffAt,
  }),
  'domain.switched_off': ({ data }) => ({ domain: data.domain }),
  'serialized.first_scanned': ofSerializedScan,
  'serialized.duplicate_scanned': (event) => ({ ...ofSerializedScan(event), risk: event.data.risk }),
  'serialized.item_marked': ({ subject, data }) => ({
    itemId: subject.id,
    batchId: data.batchId,
    productSku: data.productSku,
    productName: data.productName,
    mark: data.mark,
    previousMark: data.previousMark,
    note: data.note,
    markedAt: data.markedAt,
  }),
  'webhook.paused': ({ data: { webhookId, url, failingSince } }) => ({ webhookId, url, failingSince }),
  'subscription.activated': ofSubscription,
  'subscription.renewed': ofSubscription,
  'subscription.cancelled': ofSubscription,
  'subscription.payment_failed': ofSubscription,
  'subscription.plan_changed': (event) => ({
    ...ofSubscription(event),
    previousPlan: event.data.previousPlan,
  }),
  'subscription.refunded': (event) => ({
    ...ofSubscription(event),
    amount: event.data.amount,
    currency: event.data.currency,
  }),
};

/** All event types: a webhook can follow any of them. */
export const webhookEventTypes = Object.keys(payloads) as readonly EventType[];

/** @param subscriptionId pays for the workspace of the event */
export const payloadOf = (event: Event, subscriptionId: string): Payload =>
  // The compiler does not see that the function and the event are of the same type.
  (payloads[event.type] as ToPayload<EventType>)(event, subscriptionId);

const aboutCodes: ReadonlySet<EventType> = new Set([
  'scan.created',
  'conversion.created',
  'qr.created',
  'qr.updated',
  'qr.deleted',
  'qr.suspended',
  'qr.suspension_lifted',
  'qr.destination_broken',
  'qr.destination_recovered',
]);

/** The code of an event, as it was then. */
export interface CodeOfEvent extends EventLabels {
  readonly id: string;
}

/** The code that an event is about; undefined if it is about something else. */
export const codeOfEvent = ({ type, subject, labels }: Event): CodeOfEvent | undefined =>
  aboutCodes.has(type) ? { id: subject.id, tagIds: [], folderId: null, ...labels } : undefined;
