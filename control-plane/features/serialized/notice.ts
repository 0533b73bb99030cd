/** What the owner of a batch changes of it later: its name, and what its items say of themselves. */
import type { UpdateBatchBody } from '#schemas/api/serialized.ts';
import type { Pool } from '../../db/pool.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockBatch, type StoredBatch, updateBatch } from './store/batches.ts';

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN where the batch is another workspace's */
export const changeBatch = (
  pool: Pool,
  workspaceId: string,
  batchId: string,
  changes: UpdateBatchBody,
): Promise<StoredBatch> =>
  inTransaction(pool, async (tx) => updateBatch(tx, await lockBatch(tx, workspaceId, batchId), changes));
