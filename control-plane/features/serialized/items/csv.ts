/** The items of a batch as a table, for whoever prints them: no byte order mark, which programs would read as part of the first name. */
import type { Queryable } from '../../../db/pool.ts';
import { csvLines } from '../../../spreadsheets/csv.ts';
import type { StoredBatch } from '../store/batches.ts';
import { itemPages } from '../store/items.ts';

const columns = ['itemId', 'url', 'productSku', 'productName'] as const;

/** A page is read when the one before is sent. @param urlOf the address of an item */
export async function* itemsCsv(
  db: Queryable,
  { id, productSku, productName }: StoredBatch,
  urlOf: (itemId: string) => string,
): AsyncGenerator<string> {
  yield csvLines([columns]);
  for await (const page of itemPages(db, id))
    yield csvLines(page.map((item) => [item.id, urlOf(item.id), productSku, productName]));
}
