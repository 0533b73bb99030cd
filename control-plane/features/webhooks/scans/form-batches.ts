/**
 * Forms batches of collected scans. A batch is enqueued in the transaction that removes its scans, so each scan is in
 * exactly one batch, whichever process forms it and whenever that process dies.
 *
 *   intake ─▶ collected ──full, or its first scan has waited──▶ a batch in the queue ─▶ delivery
 */
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
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
/** Webhooks read at once. */
const webhooksAtOnce = 100;
/** Single deliveries per statement. */
const rowsMax = 1_000;

/** The approximate limit of a batch's body: 1,000 scans take some 300 kB, unless their destinations are long. */
export const batchBytesMax = 2 ** 20;

type Batchable = Pick<CollectedRow, 'bytes' | 'hasWaited'>;

/** In order; the last batch may be incomplete. */
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
 * The full batches, and an incomplete last one if its first scan has waited for the maximum.
 * @param rows in order
 */
export const batchesOf = <Row extends Batchable>(rows: readonly Row[], maxEvents: number): Row[][] => {
  const chunks = chunksOf(rows, maxEvents);
  const last = chunks.at(-1);
  if (last && last.length < maxEvents && !last[0]!.hasWaited) chunks.pop();
  return chunks;
};

/** For a webhook that no longer has batches: sends each scan by itself. */
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

/** The result for one webhook. */
interface FormedBatches {
  readonly batches: number;
  /** In batches or singly. */
  readonly scans: number;
  /** Whether more may be due. */
  readonly hasMore: boolean;
}

/** The result for many webhooks. */
export interface FormedRound extends FormedBatches {
  /** How long the first scan of a due batch had waited; 0 if none was due. */
  readonly waitedSeconds: number;
}

const nothing: FormedBatches = { batches: 0, scans: 0, hasMore: false };

/** Forms the due batches of a webhook. The scans of a deleted webhook are removed. */
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
 * Forms the due batches of many webhooks. One whose batches cannot be formed does not hold up others.
 * @throws the error of the one that failed, after all others
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
