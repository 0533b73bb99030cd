/** The list of batches: JSON that is written while it is sent, since a workspace may have a million. */
import type { Queryable } from '../../../db/pool.ts';
import { toBatchSummary } from '../objects.ts';
import { listBatches, type StoredBatch } from '../store/batches.ts';

const pageRows = 500;

async function* batchPages(db: Queryable, workspaceId: string): AsyncGenerator<StoredBatch[]> {
  let beforeSeq: string | undefined;
  for (;;) {
    const page = await listBatches(db, workspaceId, beforeSeq, pageRows);
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    beforeSeq = page.at(-1)!.seq;
  }
}

/** `{"batches": […]}`, newest first. */
export async function* batchesJson(db: Queryable, workspaceId: string): AsyncGenerator<string> {
  let start = '{"batches":[';
  for await (const page of batchPages(db, workspaceId)) {
    yield start + page.map((batch) => JSON.stringify(toBatchSummary(batch))).join(',');
    start = ',';
  }
  yield start === ',' ? ']}' : `${start}]}`;
}
