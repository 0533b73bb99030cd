/** A mint has failed for good: nothing of it is left but its record. */
import type { Transaction } from '../../../db/transaction.ts';
import { finishBatch } from '../store/batches.ts';
import { deleteItems } from '../store/items.ts';
import { failJob, type StoredJob } from '../store/jobs.ts';
import { refundBatch } from '../store/quotas.ts';
import { leaveBatchKey } from './batch-key.ts';

const why =
  'The items could not be written, for a reason of ours. None of them is kept, and the quota is given back: mint the batch again';

/** Removes its items and gives the quota back, in the transaction that says that it failed. */
export const failMint = async (tx: Transaction, { id, batchId }: StoredJob): Promise<void> => {
  if (!(await failJob(tx, id, why))) return;
  const { gtin } = await finishBatch(tx, batchId, 'failed');
  await deleteItems(tx, batchId);
  // In the order in which a mint takes them.
  await refundBatch(tx, batchId);
  if (gtin !== null) await leaveBatchKey(tx, gtin);
};
