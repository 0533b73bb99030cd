/**
 * Forms batches of collected scans: each is put into the queue of deliveries in the transaction that removes its scans, so that a scan is
 * in one batch, whichever process forms it and whenever that ends.
 *
 *   intake ─▶ collected ──full, or its first scan has waited──▶ a batch in the queue ─▶ delivery
 */
import type { Pool } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { enqueueBatches, type NewBatch } from '../queue/enqueue.ts';
import { addToQueue } from '../queue/queued.ts';
import {
  type CollectedRow,
  type CollectingWebhook,
  listDue,
  readCollected,
  removeCollected,
  tryLockCollected,
} from './collected-scans.ts';

/** Scans of a webhook that one transaction puts into batches. */
const scansAtOnce = 10_000;
/** Webhooks that are looked at in one turn. */
const webhooksAtOnce = 100;
/** Single deliveries of one statement. */
const rowsMax = 1_000;

/** Of the body of a batch, about: one of 1,000 scans takes some 300 kB, unless their destinations are long. */
export const batchBytesMax = 2 ** 20;

type Batchable = Pick<CollectedRow, 'bytes' | 'hasWaited'>;

/** In their order; those of the last batch may be too few. */
const chunksOf = <Row extends Batchable>(rows: readonly Row[], maxEvents: number): Row[][] => {
  const chunks: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes;
    const last = chunks.at(-1);
    if (last && last.length < maxEvents && bytes <= batchBytesMax) last.push(row);
    else {
      chunks.push([row]);
      bytes = row.bytes;
    }
  }
  return chunks;
};

/**
 * Those that are full, and one that is not where its first scan has waited as long as it may.
 * @param rows in their order
 */
export const batchesOf = <Row extends Batchable>(rows: readonly Row[], maxEvents: number): Row[][] => {
  const chunks = chunksOf(rows, maxEvents);
  const last = chunks.at(-1);
  if (last && last.length < maxEvents && !last[0]!.hasWaited) chunks.pop();
  return chunks;
};

/** Of a webhook that has no batches any more: each scan is sent by itself. */
const enqueueSingly = async (
  tx: Transaction,
  webhookId: string,
  rows: readonly CollectedRow[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += rowsMax) {
    const some = rows.slice(from, from + rowsMax);
    await addToQueue(
      tx,
      some.map(({ id, placedAt }) => ({ webhookId, eventId: id, placedAt, type: 'scan.created' })),
    );
  }
};

/** What became of the collected scans of a webhook. */
interface FormedBatches {
  readonly batches: number;
  /** In batches or singly. */
  readonly scans: number;
  /** Whether there may be more that are due. */
  readonly hasMore: boolean;
}

/** What became of those of many webhooks. */
export interface FormedRound extends FormedBatches {
  /** For how long the first scan of a batch that was due had waited; 0 where none was. */
  readonly waitedSeconds: number;
}

const nothing: FormedBatches = { batches: 0, scans: 0, hasMore: false };

/** Forms the batches of a webhook that are due; of one that is deleted, nothing is left. */
const formBatchesOf = (
  pool: Pool,
  { id: webhookId, rule, exists }: CollectingWebhook,
): Promise<FormedBatches> =>
  inTransaction(pool, async (tx) => {
    if (!(await tryLockCollected(tx, webhookId))) return nothing;
    const rows = await readCollected(tx, webhookId, rule?.maxSeconds ?? 0, scansAtOnce);
    const batches = rule ? batchesOf(rows, rule.maxEvents) : [];
    const taken = rule ? batches.flat() : rows;
    if (taken.length === 0) return nothing;
    if (rule) await enqueueBatches(tx, batches.map(toBatch(webhookId)));
    else if (exists) await enqueueSingly(tx, webhookId, taken);
    await removeCollected(tx, webhookId, taken);
    return { batches: batches.length, scans: taken.length, hasMore: rows.length === scansAtOnce };
  });

const toBatch =
  (webhookId: string) =>
  (rows: readonly CollectedRow[]): NewBatch => ({
    webhookId,
    events: rows.map(({ id, placedAt }) => ({ id, placedAt })),
  });

/**
 * Forms the batches that are due, of many webhooks. One whose batches cannot be formed holds up no other.
 * @throws why those of one could not be formed, after all
 */
export const formDueBatches = async (pool: Pool): Promise<FormedRound> => {
  const due = await listDue(pool, webhooksAtOnce);
  const waitedSeconds = Math.max(0, ...due.map((webhook) => webhook.waitedSeconds));
  const all = { batches: 0, scans: 0, hasMore: false, waitedSeconds };
  const failures: unknown[] = [];
  for (const webhook of due) {
    const formed = await formBatchesOf(pool, webhook).catch((error: unknown) => {
      failures.push(error);
      return nothing;
    });
    all.batches += formed.batches;
    all.scans += formed.scans;
    all.hasMore ||= formed.hasMore;
  }
  if (failures.length > 0) throw failures[0];
  all.hasMore ||= due.length === webhooksAtOnce && all.scans > 0;
  return all;
};
