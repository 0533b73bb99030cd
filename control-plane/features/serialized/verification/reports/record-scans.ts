/** Records the effects of scans: the items' rows, the counts of their batches, and events. */
import type { NewEvent } from '#schemas/events.ts';
import { eventIdOf, type Outbox } from '../../../../framework/outbox.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';
import type { CountedScan, Item } from './claims.ts';
import { addScanned, type BatchFacts, findBatchFacts, updateItems } from './store.ts';

/**
 * The scans of many items in time order. An item's own scans keep the order of their numbers, even if clocks differ.
 * @param scans each item's together, by their numbers
 */
const inOrder = (scans: readonly CountedScan[]): CountedScan[] => {
  let before: CountedScan | undefined;
  let latestMs = 0;
  const timed = scans.map((scan) => {
    latestMs = scan.item === before?.item ? Math.max(latestMs, scan.atMs) : scan.atMs;
    before = scan;
    return { scan, latestMs };
  });
  return timed.sort((a, b) => a.latestMs - b.latestMs).map(({ scan }) => scan);
};

/**
 * A repeated report gives the same event id. A later scan's is a function of the redirector's id. Any scan of an item
 * can report the first scan, and there is only one, so its event id is a function of the item's.
 */
const toEvent = (scan: CountedScan, batch: BatchFacts): NewEvent => {
  const { item, atMs, country, scanCount, firstScannedAtMs, later } = scan;
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
  return later
    ? {
        id: eventIdOf(`serialized.duplicate_scanned ${later.reportId}`),
        type: 'serialized.duplicate_scanned',
        ...about,
        data: { ...data, risk: later.risk },
      }
    : {
        id: eventIdOf(`serialized.first_scanned ${item.id}`),
        type: 'serialized.first_scanned',
        ...about,
        data,
      };
};

/** The number of claimed items, by batch. */
export type ClaimedByBatch = Map<string, number>;

const tally = (claimed: ClaimedByBatch, scans: readonly CountedScan[]): void => {
  for (const { item, later } of scans)
    if (!later) claimed.set(item.batchId, (claimed.get(item.batchId) ?? 0) + 1);
};

/**
 * Stores items after their scans, with the events. The counts of their batches come last, by {@link recordClaimed},
 * when the transaction no longer locks items.
 * @param items locked, and modified
 * @param claimed is added to
 */
export const recordScans = async (
  tx: Transaction,
  outbox: Outbox,
  items: readonly Item[],
  scans: readonly CountedScan[],
  claimed: ClaimedByBatch,
): Promise<void> => {
  const facts = await findBatchFacts(tx, [...new Set(items.map(({ batchId }) => batchId))]);
  const batches = new Map(facts.map((batch) => [batch.id, batch]));
  await updateItems(tx, items);
  tally(claimed, scans);
  await outbox.emit(
    tx,
    inOrder(scans).map((scan) => toEvent(scan, batches.get(scan.item.batchId)!)),
  );
};

/** Counts the items that were claimed in their batches. */
export const recordClaimed = async (tx: Transaction, claimed: ClaimedByBatch): Promise<void> => {
  if (claimed.size > 0) await addScanned(tx, claimed);
};
