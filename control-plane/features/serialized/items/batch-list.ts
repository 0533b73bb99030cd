/**
 * The list of batches, newest first. The whole list is JSON that is written while it is sent, since a workspace may
 * have a million; or a page of it.
 */
import { type BatchListQuery, type BatchSummary, batchPageMax } from '#schemas/api/serialized.ts';
import type { Cursors } from '../../../api/http/cursors.ts';
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import { pageReads } from '../../../platform/db/page-reads.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { toBatchSummary } from '../objects.ts';
import { type BatchPage, listBatches, type StoredBatch } from '../store/batches.ts';

async function* batchPages(
  db: Queryable,
  workspaceId: string,
  status: BatchPage['status'],
): AsyncGenerator<StoredBatch[]> {
  let beforeSeq: string | undefined;
  for (;;) {
    const page = await listBatches(db, workspaceId, { beforeSeq, status, limit: batchPageMax });
    if (page.length > 0) yield page;
    if (page.length < batchPageMax) return;
    beforeSeq = page.at(-1)!.seq;
  }
}

/** `{"batches": […]}` */
export async function* batchesJson(
  pool: Pool,
  workspaceId: string,
  { status }: Pick<BatchListQuery, 'status'>,
): AsyncGenerator<Piece> {
  let start = '{"batches":[';
  const textOf = (batches: readonly StoredBatch[]): string => {
    const text = start + batches.map((batch) => JSON.stringify(toBatchSummary(batch))).join(',');
    start = ',';
    return text;
  };
  for await (const page of batchPages(pageReads(pool), workspaceId, status)) yield* inPieces(page, textOf);
  yield () => (start === ',' ? ']}' : `${start}]}`);
}

/** @throws {ClientError} INVALID_REQUEST for a cursor of another list */
export const readBatchPage = async (
  db: Queryable,
  cursors: Cursors,
  workspaceId: string,
  { status, limit = batchPageMax, cursor }: BatchListQuery,
): Promise<{ batches: BatchSummary[]; nextCursor: string | null }> => {
  const beforeSeq = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
  // One more than the limit shows whether there is a next page.
  const found = await listBatches(db, workspaceId, { beforeSeq, status, limit: limit + 1 });
  const page = found.slice(0, limit);
  const isLast = found.length <= limit;
  return {
    batches: page.map(toBatchSummary),
    nextCursor: isLast ? null : cursors.encode(workspaceId, page.at(-1)!.seq),
  };
};
