/** Ids of deliveries: a function of the webhook and the event, so that whatever is put into the queue twice is one delivery. */
import { createHash } from 'node:crypto';
import { base58OfDigest, isBase58 } from '#shared/ids.ts';

const prefix = 'dlv_';
/** Of base58: 93 bits. */
const length = 16;

/** The id of what a webhook is sent of an event. Receivers see it as the header `webhook-id`. */
export const deliveryIdOf = (webhookId: string, eventId: string): string =>
  prefix + base58OfDigest(createHash('sha256').update(`${webhookId} ${eventId}`).digest(), length);

/** Other texts are no ids of deliveries, and need not be looked for. */
export const isDeliveryIdShaped = (id: string): boolean =>
  id.length === prefix.length + length && id.startsWith(prefix) && isBase58(id.slice(prefix.length));
