/**
 * The codes of a workspace, page by page, in constant memory, at the reader's pace.
 *
 * Every code that existed when the first page was read comes once, as it is when its page is read; codes made later do
 * not come. No transaction is held: a slow reader holds nothing of the database.
 */
import type { Queryable } from '../../../platform/db/pool.ts';
import { newestSeq, nextWorkspace, type ReadPage } from '../store/pages.ts';

/** Codes are small, or have logos of a megabyte: pages are limited by rows and bytes, and the first ones are small. */
const rowsMaxFirst = 50;
export const rowsMax = 500;
export const bytesMax = 2 ** 19;

export async function* codePages<Stored extends { seq: string }>(
  db: Queryable,
  workspaceId: string,
  readPage: ReadPage<Stored>,
): AsyncGenerator<Stored[]> {
  const lastSeq = await newestSeq(db, workspaceId);
  if (lastSeq === undefined) return;
  let afterSeq = '0';
  let rows = rowsMaxFirst;
  for (;;) {
    const page = await readPage(db, workspaceId, { afterSeq, lastSeq }, { rowsMax: rows, bytesMax });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (last.seq === lastSeq) return;
    afterSeq = last.seq;
    // After a page cut by its bytes, read only a few more rows: PostgreSQL measures each row that it reads.
    rows = Math.min(rowsMax, page.length * 2);
  }
}

/** The same for all workspaces, one after the other; each page has codes of one workspace. */
export async function* allCodePages<Stored extends { seq: string }>(
  db: Queryable,
  readPage: ReadPage<Stored>,
): AsyncGenerator<Stored[]> {
  for (let id = await nextWorkspace(db, ''); id !== undefined; id = await nextWorkspace(db, id))
    yield* codePages(db, id, readPage);
}
