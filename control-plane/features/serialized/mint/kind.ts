/**
 * Mints, as jobs: a slice writes some items of a batch. If a mint fails for good, its items are removed and the quota is
 * given back, in the transaction that says so.
 */

import { type Job, type JobKind, jobKind } from '../../../jobs/kind.ts';
import { hasFailedTooOften } from '../../../jobs/slices.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { finishBatch } from '../store/batches.ts';
import { deleteItems } from '../store/items.ts';
import { findJobDetails } from '../store/jobs.ts';
import { refundBatch } from '../store/quotas.ts';
import { leaveBatchKey } from './batch-key.ts';
import { copyItems } from './copy-items.ts';

/** Other workspaces wait for a slice: it takes about a tenth of a second. */
export const sliceItems = 5_000;

export const mintSliceEnds = ['written', 'refunded'] as const;

export interface MintKindOptions {
  createItemId(): string;
  onItems(end: (typeof mintSliceEnds)[number], items: number): void;
}

/** For the work and for the calls that create it. */
export const mintJobs = { name: 'mint', lane: 'mint' } as const;

export const createMintKind = ({ createItemId, onItems }: MintKindOptions): JobKind =>
  jobKind<undefined, undefined>({
    ...mintJobs,
    failure:
      'The items could not be written, for a reason of ours. None of them is kept, and the quota is given back: mint the batch again',
    async effect(tx, { id, total, done }, _, afterCommit) {
      const { batchId } = await findJobDetails(tx, id);
      const count = Math.min(sliceItems, total! - done);
      const isLast = done + count === total;
      await copyItems(tx, { batchId, firstPosition: done + 1, count }, createItemId);
      if (isLast) await finishBatch(tx, batchId, 'completed');
      afterCommit(async () => onItems('written', count));
      return { done: count, isLast };
    },
    // A mint that was answered completes, however often processes are killed.
    isHopeless: hasFailedTooOften,
    async undo(tx: Transaction, { id }: Job) {
      const { batchId } = await findJobDetails(tx, id);
      const { gtin } = await finishBatch(tx, batchId, 'failed');
      await deleteItems(tx, batchId);
      // In the order in which a mint takes them.
      await refundBatch(tx, batchId);
      if (gtin !== null) await leaveBatchKey(tx, gtin);
    },
    async ended({ total }, status) {
      if (status === 'failed') onItems('refunded', total!);
    },
  });
