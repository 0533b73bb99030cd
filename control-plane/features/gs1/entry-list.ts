/** A page of entries as one JSON answer, read in parts of a bounded size: 100 of the largest are 25 MB. */
import type { z } from 'zod';
import type { Gs1EntryObject, gs1EntryListQuery } from '#schemas/api/gs1.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import type { Reply } from '../../api/http/operation.ts';
import { inPieces, type Piece, partsOf } from '../../api/http/pieces.ts';
import { pageReads } from '../../platform/db/page-reads.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { readEntryPath } from './entry-path.ts';
import { listEntries, readEntries, type StoredEntry } from './store.ts';

export interface EntryListOptions {
  pool: Pool;
  cursors: Cursors;
}

/** The entries of a workspace as the API shows them. */
export type ToObjects = (workspaceId: string, entries: readonly StoredEntry[]) => Promise<Gs1EntryObject[]>;

/** Of the links of a part, unless it has one entry only. A list up to this size is one part. */
const partBytesMax = 128 * 2 ** 10;

/**
 * The order is that of the moment when the list was asked for. An entry comes as it is when its part is read, and not at all if it
 * was deleted meanwhile.
 */
export const createEntryLists =
  ({ pool, cursors }: EntryListOptions, toObjects: ToObjects) =>
  async (workspaceId: string, { limit, cursor, key }: z.output<typeof gs1EntryListQuery>): Promise<Reply> => {
    const before = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
    const only = key === undefined ? undefined : readEntryPath('key', key, 'INVALID_REQUEST').key;
    // One extra entry tells whether there is a next page.
    const found = await listEntries(pool, workspaceId, only, before, limit + 1);
    const page = found.slice(0, limit);
    const nextCursor = found.length > limit ? cursors.encode(workspaceId, page.at(-1)!.seq) : null;
    const parts = partsOf(page, partBytesMax);
    const read = async (ids: readonly string[], db = pageReads(pool)) =>
      toObjects(workspaceId, await readEntries(db, workspaceId, ids));
    if (parts.length <= 1) return { body: { entries: await read(parts[0] ?? [], pool), nextCursor } };
    return {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      pieces: piecesOf(parts, read, nextCursor),
    };
  };

/** `{"entries": […], "nextCursor": …}` */
async function* piecesOf(
  parts: readonly string[][],
  read: (ids: readonly string[]) => Promise<Gs1EntryObject[]>,
  nextCursor: string | null,
): AsyncGenerator<Piece> {
  let start = '{"entries":[';
  const textOf = (entries: readonly Gs1EntryObject[]): string => {
    const text = start + entries.map((entry) => JSON.stringify(entry)).join(',');
    start = ',';
    return text;
  };
  for (const ids of parts) yield* inPieces(await read(ids), textOf);
  yield () => `${start === ',' ? '' : start}],"nextCursor":${JSON.stringify(nextCursor)}}`;
}
