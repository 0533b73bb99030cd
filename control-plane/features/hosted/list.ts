/**
 * All pages of a workspace as one JSON answer, read in parts of bounded size: 50 menus of 8 MB are 400 MB. The order
 * is fixed when the list is requested. Each page is read with its part, and left out if it has been deleted by then.
 */

import type { Reply } from '../../api/http/operation.ts';
import { type Piece, partsOf } from '../../api/http/pieces.ts';
import { yieldToOthers } from '../../api/http/steps.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { jsonOf } from './objects.ts';
import type { HostedResource } from './resource.ts';
import { listPages, readPages } from './store.ts';

/** The contents of a part together; a single larger page is a part too. A list up to this size is one part. */
const partBytesMax = 2 ** 20;

const contentType = 'application/json; charset=utf-8';

/** @param db for a list in several parts: no connection of it is held while the client reads */
export const listReply = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
): Promise<Reply> => {
  const parts = partsOf(await listPages(db, resource, workspaceId), partBytesMax);
  const read = (ids: readonly string[]) => readPages(db, resource, workspaceId, ids);
  const textOf = (pages: Awaited<ReturnType<typeof read>>): string =>
    pages.map((page) => jsonOf(resource, page)).join(',');
  const [start, end] = [`{"${resource.listField}":[`, ']}'];
  const headers = { 'content-type': contentType };
  if (parts.length <= 1)
    return { headers, body: Buffer.from(start + textOf(await read(parts[0] ?? [])) + end) };
  async function* pieces(): AsyncGenerator<Piece> {
    let before = start;
    for (const ids of parts) {
      const pages = await read(ids);
      if (pages.length === 0) continue;
      const first = before;
      yield () => first + textOf(pages);
      before = ',';
    }
    yield () => (before === ',' ? end : start + end);
  }
  return { headers, pieces: pieces() };
};

/** A shorter text is copied in the iteration in which it was read: it takes too little time to matter. */
const smallLength = 2 ** 16;

/** One page. */
export const pageReply = async (json: string): Promise<Reply> => {
  if (json.length > smallLength) await yieldToOthers();
  return { headers: { 'content-type': contentType }, body: Buffer.from(json) };
};

/** One page in buffers. */
export const pagePartsReply = (parts: Buffer[]): Reply => ({
  headers: { 'content-type': contentType },
  parts,
});

/** One new page whose content is in UTF-8. @param head the fields in front of the content */
export const newPageReply = (head: string, content: Buffer): Reply => ({
  status: 201,
  headers: { 'content-type': contentType },
  parts: [Buffer.from(head), content],
});
