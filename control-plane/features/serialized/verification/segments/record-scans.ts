/** What follows from the scans of items: their rows, the counts of their batches, and events. */
import type { NewEvent } from '#schemas/events.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { Outbox } from '../../../../outbox/outbox.ts';
import type { CountedScan, Item } from './claims.ts';
import { addScanned, type BatchFacts, findBatchFacts, updateItems } from './store.ts';

/** The scans of many items, in the order of their times; those of an item in the order of their numbers. */
const inOrder = (scans: readonly CountedScan[]): CountedScan[] =>
  scans.toSorted((a, b) =>
    a.item === b.item ? a.scanCount - b.scanCount : a.atMs - b.atMs || (a.item.id < b.item.id ? -1 : 1),
  );

const toEvent = (scan: CountedScan, batch: BatchFacts): NewEvent => {
  const { item, atMs, country, scanCount, firstScannedAtMs, risk } = scan;
  const about = {
    workspaceId: batch.workspaceId,
    subject: { id: item.id, version: scanCount },
    occurredAt: new Date(atMs),
  };
  const data = {
    batchId: batch.id,
    productSku: batch.productSku,
    productName: batch.productName,
    scanCount,
    firstScannedAt: firstScannedAtMs,
    country: country === '' ? null : country,
  };
  return risk
    ? { type: 'serialized.duplicate_scanned', ...about, data: { ...data, risk } }
    : { type: 'serialized.first_scanned', ...about, data };
};

/** Items of each batch that were claimed by these scans. */
const claimedByBatch = (scans: readonly CountedScan[]): Map<string, number> => {
  const claimed = new Map<string, number>();
  for (const { item, risk } of scans) {
    if (risk === undefined) claimed.set(item.batchId, (claimed.get(item.batchId) ?? 0) + 1);
  }
  return claimed;
};

/**
 * Stores items as their scans have left them, with the counts of their batches and the events.
 * @param items locked, and changed
 */
export const recordScans = async (
  tx: Transaction,
  outbox: Outbox,
  items: readonly Item[],
  scans: readonly CountedScan[],
): Promise<void> => {
  const facts = await findBatchFacts(tx, [...new Set(items.map(({ batchId }) => batchId))]);
  const batches = new Map(facts.map((batch) => [batch.id, batch]));
  await updateItems(tx, items);
  const claimed = claimedByBatch(scans);
  if (claimed.size > 0) await addScanned(tx, claimed);
  await outbox.emit(
    tx,
    inOrder(scans).map((scan) => toEvent(scan, batches.get(scan.item.batchId)!)),
  );
};
