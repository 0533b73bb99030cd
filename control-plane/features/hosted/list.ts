/**
 * All pages of a workspace as one JSON answer, read in parts of a bounded size: 50 menus of 8 MB are 400 MB. The order is that of
 * the moment when the list was asked for; a page comes as it is when its part is read, and not at all where it was deleted meanwhile.
 */
import type { Queryable } from '../../db/pool.ts';
import type { Reply } from '../../http/operation.ts';
import type { Piece } from '../../http/pieces.ts';
import { othersTurn } from '../../http/steps.ts';
import { jsonOf } from './objects.ts';
import type { HostedResource } from './resource.ts';
import { type ListedPage, listPages, readPages } from './store.ts';

/** Of the contents of a part, unless it has one page only. A list up to this size is one part. */
const partBytesMax = 2 ** 20;

const contentType = 'application/json; charset=utf-8';

/** @returns ids in their order, as many together as fit in a part */
export const partsOf = (pages: readonly ListedPage[], bytesMax = partBytesMax): string[][] => {
  const parts: string[][] = [];
  let left = 0;
  for (const { id, bytes } of pages) {
    if (bytes > left || parts.length === 0) {
      parts.push([]);
      left = bytesMax;
    }
    parts.at(-1)?.push(id);
    left -= bytes;
  }
  return parts;
};

/** @param db for a list in several parts: no connection of it is held while the client reads */
export const listReply = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
): Promise<Reply> => {
  const parts = partsOf(await listPages(db, resource, workspaceId));
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

/** Of a text up to this size it makes no difference that it was read in the same turn. */
const smallLength = 2 ** 16;

/** One page. */
export const pageReply = async (json: string): Promise<Reply> => {
  if (json.length > smallLength) await othersTurn();
  return { headers: { 'content-type': contentType }, body: Buffer.from(json) };
};

/** One page whose content is in UTF-8. @param head the fields beside it */
export const newPageReply = (head: string, content: Buffer): Reply => ({
  status: 201,
  headers: { 'content-type': contentType },
  parts: [Buffer.from(head), content],
});
