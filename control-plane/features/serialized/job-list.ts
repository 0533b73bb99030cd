/** The jobs of a batch, a page at a time, newest first. */
import type { BatchJobList, BatchJobQuery } from '#schemas/api/serialized.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { toJobObject } from './objects.ts';
import type { StoredBatch } from './store/batches.ts';
import { listBatchJobs } from './store/jobs.ts';

/** @throws {ClientError} INVALID_REQUEST for a cursor of another list */
export const readJobPage = async (
  db: Queryable,
  cursors: Cursors,
  batch: StoredBatch,
  { jobType: kind, limit, cursor }: BatchJobQuery,
): Promise<BatchJobList> => {
  const listId = `jobs ${batch.id} ${kind ?? ''}`;
  const beforeSeq = cursor === undefined ? undefined : cursors.decode(listId, cursor);
  // One more than the limit shows whether there is a next page.
  const found = await listBatchJobs(db, batch, { beforeSeq, kind, limit: limit + 1 });
  const page = found.slice(0, limit);
  return {
    data: page.map(toJobObject),
    pagination: {
      limit,
      cursor: cursor ?? null,
      nextCursor: found.length > limit ? cursors.encode(listId, page.at(-1)!.seq) : null,
    },
  };
};
