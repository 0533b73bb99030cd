/** A batch with a page of its items. */
import type { z } from 'zod';
import type { batchWithItems, itemListQuery } from '#schemas/api/serialized.ts';
import type { Cursors } from '../../../api/http/cursors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { toBatchObject, toItemObject } from '../objects.ts';
import { findBatch, type StoredBatch } from '../store/batches.ts';
import { listItems } from '../store/items.ts';
import type { ItemUrls } from './item-urls.ts';

export interface BatchReaderOptions {
  pool: Pool;
  cursors: Cursors;
  urls: ItemUrls;
}

/** Whether there are, or may be, items after this position. */
const hasMore = ({ status, count }: StoredBatch, position: number): boolean =>
  status !== 'failed' && position < count;

/**
 * @throws {ClientError} INVALID_REQUEST for a cursor of another list; NOT_FOUND, or FORBIDDEN if the batch is another
 * workspace's
 */
export const createBatchReader =
  ({ pool, cursors, urls }: BatchReaderOptions) =>
  async (
    workspaceId: string,
    batchId: string,
    { limit, cursor }: z.output<typeof itemListQuery>,
  ): Promise<z.output<typeof batchWithItems>> => {
    const batch = await findBatch(pool, workspaceId, batchId);
    const after = cursor === undefined ? 0 : Number(cursors.decode(batch.id, cursor));
    const items = await listItems(pool, batch.id, after, limit);
    const last = items.at(-1)?.position ?? after;
    return {
      ...toBatchObject(batch),
      items: items.map((item) => toItemObject(urls, batch, item)),
      nextCursor: hasMore(batch, last) ? cursors.encode(batch.id, String(last)) : null,
    };
  };
