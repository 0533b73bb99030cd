/** Ids of deliveries: a function of webhook and event, so that enqueueing twice gives one delivery. */
import { createHash } from 'node:crypto';
import { base58OfDigest, isBase58 } from '#shared/ids.ts';

const prefix = 'dlv_';
/** Characters of base58: 93 bits. */
const length = 16;

/** The id of an event's delivery to a webhook. Receivers see it as the header `webhook-id`. */
export const deliveryIdOf = (webhookId: string, eventId: string): string =>
  prefix + base58OfDigest(createHash('sha256').update(`${webhookId} ${eventId}`).digest(), length);

/** Other texts cannot be ids of deliveries, and need no lookup. */
export const isDeliveryIdShaped = (id: string): boolean =>
  id.length === prefix.length + length && id.startsWith(prefix) && isBase58(id.slice(prefix.length));
