/**
 * The items of a batch as a table for printing. No byte order mark: programs would read it as part of the first
 * column's name.
 */

import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import { pageReads } from '../../../platform/db/page-reads.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { csvLines } from '../../../platform/spreadsheets/csv.ts';
import type { StoredBatch } from '../store/batches.ts';
import { itemPages } from '../store/items.ts';

const columns = ['itemId', 'url', 'productSku', 'productName'] as const;

/** @param urlOf the URL of an item */
export async function* itemsCsv(
  pool: Pool,
  { id, productSku, productName }: StoredBatch,
  urlOf: (itemId: string) => string,
): AsyncGenerator<Piece> {
  yield () => csvLines([columns]);
  for await (const page of itemPages(pageReads(pool), id))
    yield* inPieces(page, (items) =>
      csvLines(items.map((item) => [item.id, urlOf(item.id), productSku, productName])),
    );
}
