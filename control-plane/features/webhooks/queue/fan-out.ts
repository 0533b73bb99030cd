/**
 * The fan-out on write: in the transaction that causes events, each event is stored once, for the feed of events, and each
 * webhook that follows it gets a row in its queue. Scans are not in the feed: a scan is stored only if a webhook follows it.
 */
import { isInFeed } from '#schemas/api/event-feed.ts';
import type { Event } from '#schemas/events.ts';
import type { Consumer } from '../../../framework/outbox.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { findAudiences, type InterestedWebhook, isWanted } from './interested.ts';
import { codeOfEvent, payloadOf, webhookEventTypes } from './payloads.ts';
import { placedAt } from './placement.ts';
import { addToQueue, type WantedDelivery } from './queued.ts';
import { type StoredEvent, storeEvents, storingEvents } from './stored-events.ts';

/** Rows per statement: one of a thousand takes some ten milliseconds. */
const rowsMax = 1_000;
/** Statements for the commit are in memory until then, and are written in one step: events of larger changes are stored at once. */
const atCommitMax = 100;

/** A scan for a batch of a webhook. */
export interface CollectedScan {
  readonly webhookId: string;
  readonly eventId: string;
  readonly placedAt: Date;
  /** The size of its data as JSON. */
  readonly bytes: number;
}

/** Stores scans until their batch is due, in the transaction that causes them. */
export type CollectScans = (tx: Transaction, scans: readonly CollectedScan[]) => Promise<void>;

interface Wanted {
  readonly stored: StoredEvent;
  readonly webhooks: readonly InterestedWebhook[];
}

/** @param collect gets the scans of webhooks with batches; without it these are sent one by one */
export const createFanOut = (collect?: CollectScans): Consumer => ({
  types: webhookEventTypes,
  async accept(tx, events) {
    const wanted = await findWanted(tx, events);
    for (const some of inSlices(wanted)) {
      const events = some.map(({ stored }) => stored);
      // Nothing follows from whether they are new.
      if (wanted.length <= atCommitMax && some.every(({ webhooks }) => webhooks.length === 0)) {
        tx.queryAtCommit(storingEvents(events));
        continue;
      }
      const isNew = await storeEvents(tx, events);
      // Events that are already stored were fanned out before, and are now reported again.
      await fanOut(
        tx,
        some.filter(({ stored }) => isNew.has(stored.id)),
        collect,
      );
    }
  },
});

const inSlices = function* <Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += rowsMax) yield items.slice(at, at + rowsMax);
};

const findWanted = async (tx: Transaction, events: readonly Event[]): Promise<readonly Wanted[]> => {
  const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))];
  const types = [...new Set(events.map(({ type }) => type))];
  const audiences = await findAudiences(tx, workspaceIds, types);
  return events.flatMap((event) => {
    const audience = audiences.get(event.workspaceId);
    if (!audience) return [];
    const code = codeOfEvent(event);
    const webhooks = audience.webhooks.filter((one) => isWanted(one, event.type, code));
    if (webhooks.length === 0 && !isInFeed(event.type)) return [];
    return [{ stored: toStored(event, audience.subscriptionId), webhooks }];
  });
};

const toStored = (event: Event, subscriptionId: string): StoredEvent => ({
  id: event.id,
  placedAt: placedAt(event.occurredAt),
  workspaceId: event.workspaceId,
  type: event.type,
  occurredAt: event.occurredAt,
  data: JSON.stringify(payloadOf(event, subscriptionId)),
  onlyFor: null,
  isInFeed: isInFeed(event.type),
  labels: event.labels,
});

const fanOut = async (
  tx: Transaction,
  wanted: readonly Wanted[],
  collect: CollectScans | undefined,
): Promise<void> => {
  const deliveries: WantedDelivery[] = [];
  const scans: CollectedScan[] = [];
  for (const { stored, webhooks } of wanted) {
    const key = { eventId: stored.id, placedAt: stored.placedAt };
    const bytes = Buffer.byteLength(stored.data);
    for (const { id: webhookId, batch: rule, overflowing } of webhooks) {
      if (overflowing) continue;
      if (collect && rule && stored.type === 'scan.created') scans.push({ webhookId, ...key, bytes });
      else deliveries.push({ webhookId, ...key, type: stored.type });
    }
  }
  for (const some of inSlices(deliveries)) await addToQueue(tx, some);
  for (const some of inSlices(scans)) await collect?.(tx, some);
};
