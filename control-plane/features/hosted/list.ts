/**
 * All pages of a workspace as one JSON answer, read in parts of a bounded size: 50 menus of 4 MB are 200 MB. The order is that of
 * the moment when the list was asked for; a page comes as it is when its part is read, and not at all where it was deleted meanwhile.
 */
import { Readable } from 'node:stream';
import type { Queryable } from '../../db/pool.ts';
import type { Reply } from '../../http/operation.ts';
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

/** @param db one connection after the other: none is held while the client reads */
export const listReply = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
): Promise<Reply> => {
  const parts = partsOf(await listPages(db, resource, workspaceId));
  const textOf = async (ids: readonly string[]): Promise<string> => {
    const pages = await readPages(db, resource, workspaceId, ids);
    return pages.map((page) => jsonOf(resource, page)).join(',');
  };
  const [start, end] = [`{"${resource.listField}":[`, ']}'];
  const headers = { 'content-type': contentType };
  if (parts.length <= 1) return { headers, body: Buffer.from(start + (await textOf(parts[0] ?? [])) + end) };
  async function* text(): AsyncGenerator<string> {
    let before = start;
    for (const ids of parts) {
      const part = await textOf(ids);
      if (part === '') continue;
      yield before + part;
      before = ',';
    }
    yield before === ',' ? end : start + end;
  }
  return { headers, body: Readable.from(text(), { objectMode: false, highWaterMark: 1 }) };
};

/** One page. */
export const pageReply = (json: string): Reply => ({
  headers: { 'content-type': contentType },
  body: Buffer.from(json),
});
