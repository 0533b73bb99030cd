/** Takes a segment: its scans are counted once, with everything that follows from them, in one transaction. */
import type { NewEvent } from '#schemas/events.ts';
import type { VerificationEvent } from '#schemas/verification.ts';
import type { Pool } from '../../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../../db/transaction.ts';
import type { Outbox } from '../../../../outbox/outbox.ts';
import { type CountedScan, countScans, type Item } from './claims.ts';
import { type ReadEvent, type ReadSegment, type RejectedLine, rejectLine } from './lines.ts';
import {
  addScanned,
  type BatchFacts,
  findBatchFacts,
  insertRejectedLines,
  lockItems,
  noteSegment,
  updateItems,
} from './store.ts';

/** Lines of a segment that are kept; the others are counted. */
const rejectedKeptMax = 100;

export interface TakenSegment {
  /** Whether it was taken before: then it adds nothing. */
  repeated: boolean;
  /** Events that were counted, those of claims among them. */
  counted: number;
  rejected: readonly RejectedLine[];
  /** Claims of items that were claimed by another scan. */
  secondClaims: readonly VerificationEvent[];
}

const repeated: TakenSegment = { repeated: true, counted: 0, rejected: [], secondClaims: [] };

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

/** @param items locked @returns the scans that are counted, and claims beside others */
const countAll = (items: readonly Item[], events: readonly ReadEvent[]) => {
  const byItem = Map.groupBy(events, ({ itemId }) => itemId);
  const counted = items.map((item) => countScans(item, byItem.get(item.id) ?? []));
  return {
    scans: counted.flatMap(({ scans }) => scans),
    secondClaims: counted.flatMap(({ secondClaims }) => secondClaims),
  };
};

const store = async (
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

/**
 * @param name of the segment: one that was taken before adds nothing, also where it is being taken by another process now
 * @throws what PostgreSQL says: then nothing is taken
 */
export const takeSegment = (
  pool: Pool,
  outbox: Outbox,
  name: string,
  { events, rejected: unread }: ReadSegment,
): Promise<TakenSegment> =>
  inTransaction(pool, async (tx) => {
    if (!(await noteSegment(tx, name))) return repeated;
    const items =
      events.length > 0 ? await lockItems(tx, [...new Set(events.map(({ itemId }) => itemId))]) : [];
    const known = new Set(items.map(({ id }) => id));
    const unknown = events
      .filter(({ itemId }) => !known.has(itemId))
      .map(({ line, ...event }) => rejectLine(line, 'unknown_item', JSON.stringify(event)));
    const rejected = [...unread, ...unknown];
    if (rejected.length > 0) await insertRejectedLines(tx, name, rejected.slice(0, rejectedKeptMax));
    const { scans, secondClaims } = countAll(items, events);
    if (items.length > 0) await store(tx, outbox, items, scans);
    return { repeated: false, counted: events.length - unknown.length, rejected, secondClaims };
  });
