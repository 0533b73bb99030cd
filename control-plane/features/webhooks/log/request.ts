/** What a delivery sends, as its owner is shown it. */
import type { Queryable } from '../../../db/pool.ts';
import { commonHeaders, testHeaders } from '../delivery/common-headers.ts';
import { bodyOf, type Enveloped, keysOf, loadEvents } from '../delivery/envelope.ts';
import type { FoundDelivery } from './deliveries.ts';

export interface SentRequest {
  /** Those that are the same in every attempt. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns undefined where its events are kept no more */
export const requestOf = async (db: Queryable, delivery: FoundDelivery): Promise<SentRequest | undefined> => {
  const enveloped: Enveloped = delivery;
  const body = bodyOf(enveloped, await loadEvents(db, keysOf(enveloped)));
  if (body === undefined) return undefined;
  return {
    headers: { ...commonHeaders, ...(delivery.test && testHeaders), 'webhook-id': delivery.id },
    body,
  };
};
