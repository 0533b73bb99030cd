/** /api/qr/serialized-batches/{batchId}/items/{itemId} and …/marks: single items, and the marks on them. */
import {
  itemMarkBody,
  type MarkedItemList,
  type MarkItemsAnswer,
  type MarkListQuery,
  markItemsBody,
  markListQuery,
  type SerializedItemDetails,
} from '#schemas/api/serialized-marks.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { isItemIdShaped } from '#shared/serial-signatures.ts';
import type { Cursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { ItemUrls } from '../items/item-urls.ts';
import { findBatch, type StoredBatch } from '../store/batches.ts';
import type { ChangedMarks, ChangeMarks } from './change-marks.ts';
import { listMarksDocs, markItemDocs, markItemsDocs, readItemDocs, unmarkItemDocs } from './docs.ts';
import { toItemDetails } from './item-object.ts';
import { findItem, listMarked } from './store.ts';

export interface MarkOptions {
  pool: Pool;
  cursors: Cursors;
  urls: ItemUrls;
  changeMarks: ChangeMarks;
}

const base = '/api/qr/serialized-batches/:batchId';

const unknownItem = (batchId: string, itemId: string): string =>
  `There is no item with the id ${quoted(itemId)} in the batch ${batchId}`;

const readItem = async (
  { pool, urls }: Pick<MarkOptions, 'pool' | 'urls'>,
  batch: StoredBatch,
  itemId: string,
): Promise<SerializedItemDetails> => {
  const item = isItemIdShaped(itemId) ? await findItem(pool, batch.id, itemId) : undefined;
  if (!item) throw new ClientError('NOT_FOUND', unknownItem(batch.id, itemId));
  return toItemDetails(urls, batch, item);
};

const listMarks = async (
  { pool, cursors, urls }: MarkOptions,
  batch: StoredBatch,
  { state, limit, cursor }: MarkListQuery,
): Promise<MarkedItemList> => {
  const listId = `marks ${batch.id} ${state ?? ''}`;
  const after = cursor === undefined ? 0 : Number(cursors.decode(listId, cursor));
  // One more than the limit shows whether there is a next page.
  const found = await listMarked(pool, batch.id, { after, state, limit: limit + 1 });
  const page = found.slice(0, limit);
  return {
    data: page.map((item) => toItemDetails(urls, batch, item)),
    pagination: {
      limit,
      cursor: cursor ?? null,
      nextCursor: found.length > limit ? cursors.encode(listId, String(page.at(-1)!.position)) : null,
    },
  };
};

const answerOf = (itemIds: readonly string[], { batch, known, changed }: ChangedMarks): MarkItemsAnswer => {
  const results = itemIds.map((itemId, at): MarkItemsAnswer['results'][number] => {
    if (known.has(itemId)) return { itemId, status: changed.has(itemId) ? 'changed' : 'unchanged' };
    const message = `itemIds[${at}]: ${unknownItem(batch.id, itemId)}`;
    return { itemId, status: 'failed', message, code: 'NOT_FOUND' };
  });
  const countOf = (status: MarkItemsAnswer['results'][number]['status']): number =>
    results.filter((result) => result.status === status).length;
  return {
    changed: countOf('changed'),
    unchanged: countOf('unchanged'),
    failed: countOf('failed'),
    results,
  };
};

/** No plan is required: a recall is announced and ended after a downgrade, too. */
export const createMarkOperations = (options: MarkOptions): Operation[] => {
  const { pool, changeMarks } = options;
  return [
    operation({
      method: 'get',
      path: `${base}/items/:itemId`,
      docs: readItemDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '', itemId = '' } }) {
        return { body: await readItem(options, await findBatch(pool, workspaceId, batchId), itemId) };
      },
    }),
    operation({
      method: 'put',
      path: `${base}/items/:itemId/mark`,
      body: itemMarkBody,
      docs: markItemDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '', itemId = '' }, body }) {
        const { batch } = await changeMarks(workspaceId, batchId, [itemId], body);
        return { body: await readItem(options, batch, itemId) };
      },
    }),
    operation({
      method: 'delete',
      path: `${base}/items/:itemId/mark`,
      docs: unmarkItemDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '', itemId = '' } }) {
        const { batch, known } = await changeMarks(workspaceId, batchId, [itemId], null);
        if (!known.has(itemId)) throw new ClientError('NOT_FOUND', unknownItem(batch.id, itemId));
        return { status: 204 };
      },
    }),
    operation({
      method: 'get',
      path: `${base}/marks`,
      query: markListQuery,
      docs: listMarksDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '' }, query }) {
        return { body: await listMarks(options, await findBatch(pool, workspaceId, batchId), query) };
      },
    }),
    operation({
      method: 'post',
      path: `${base}/marks`,
      body: markItemsBody,
      docs: markItemsDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '' }, body: { itemIds, mark } }) {
        return { body: answerOf(itemIds, await changeMarks(workspaceId, batchId, itemIds, mark)) };
      },
    }),
  ];
};
