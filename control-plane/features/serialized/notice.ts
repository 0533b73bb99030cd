/** What the owner of a batch changes of it later: its name, and what its items say of themselves. */
import type { UpdateBatchBody } from '#schemas/api/serialized.ts';
import type { Pool } from '../../db/pool.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { DocumentPublishing } from '../documents/publishing.ts';
import { documentsChanged } from '../documents/queue.ts';
import { lockBatch, type StoredBatch, updateBatch } from './store/batches.ts';

export interface BatchChangerOptions {
  pool: Pool;
  publishing: Pick<DocumentPublishing, 'publish'>;
}

/**
 * Changes a batch, and tells redirectors where they have to know before it returns, as far as Redis answers.
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN where the batch is another workspace's
 */
export type ChangeBatch = (
  workspaceId: string,
  batchId: string,
  changes: UpdateBatchBody,
) => Promise<StoredBatch>;

export const createBatchChanger =
  ({ pool, publishing }: BatchChangerOptions): ChangeBatch =>
  async (workspaceId, batchId, changes) => {
    const [before, after] = await inTransaction(pool, async (tx) => {
      const locked = await lockBatch(tx, workspaceId, batchId);
      const changed = await updateBatch(tx, locked, changes);
      if (changed.version !== locked.version) await documentsChanged(tx, [changed]);
      return [locked, changed];
    });
    if (after.version !== before.version) await publishing.publish([batchId]);
    return after;
  };
