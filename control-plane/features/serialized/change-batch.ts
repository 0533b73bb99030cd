/** Later changes of a batch by its owner: its name, the notice on its items, and what their page shows of the brand. */
import type { UpdateBatchBody } from '#schemas/api/serialized.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type DocumentPublishing, documentsChanged } from '../../publishing/documents.ts';
import type { MakeProductImage } from './product-image.ts';
import { findBatch, lockBatch, type PicturedBatch, updateBatch } from './store/batches.ts';

export interface BatchChangerOptions {
  pool: Pool;
  publishing: Pick<DocumentPublishing, 'publish'>;
  makeProductImage: MakeProductImage;
}

/**
 * Changes a batch. If redirectors must know, it notifies them before it returns, unless Redis is away.
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN if the batch is another workspace's; and as {@link MakeProductImage}
 */
export type ChangeBatch = (
  workspaceId: string,
  batchId: string,
  changes: UpdateBatchBody,
) => Promise<PicturedBatch>;

export const createBatchChanger = ({
  pool,
  publishing,
  makeProductImage,
}: BatchChangerOptions): ChangeBatch => {
  const pictureOf = async (workspaceId: string, batchId: string, given: string): Promise<string> => {
    // Checked before the work; the change itself checks again.
    const before = await findBatch(pool, workspaceId, batchId);
    // A client that sends what it was shown keeps the picture as it is: each encoding may lose some of it.
    return before.productImage === given ? given : makeProductImage(given, workspaceId);
  };

  return async (workspaceId, batchId, { productImage, ...others }) => {
    const changes: UpdateBatchBody = {
      ...others,
      productImage: productImage && (await pictureOf(workspaceId, batchId, productImage)),
    };
    const [before, after] = await inTransaction(pool, async (tx) => {
      const locked = await lockBatch(tx, workspaceId, batchId);
      const changed = await updateBatch(tx, locked, changes);
      if (changed.version !== locked.version) await documentsChanged(tx, [changed]);
      return [locked, changed];
    });
    if (after.version !== before.version) await publishing.publish([batchId]);
    return after;
  };
};
