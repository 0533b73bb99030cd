/** Later changes of a batch by its owner: its name, and the notice on its items. */
import type { UpdateBatchBody } from '#schemas/api/serialized.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type DocumentPublishing, documentsChanged } from '../../publishing/documents.ts';
import { lockBatch, type StoredBatch, updateBatch } from './store/batches.ts';

export interface BatchChangerOptions {
  pool: Pool;
  publishing: Pick<DocumentPublishing, 'publish'>;
}

/**
 * Changes a batch. If redirectors must know, it notifies them before it returns, unless Redis is away.
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN if the batch is another workspace's
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
