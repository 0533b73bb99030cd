/** The items of serialized batches in PostgreSQL, in the order in which they were minted. */
import type { Queryable } from '../../../platform/db/pool.ts';

export interface StoredItem {
  id: string;
  /** From 1 to the batch's count. */
  position: number;
  scanCount: number;
  firstScannedAt: Date | null;
  /** Empty if it is not known. */
  firstScanCountry: string | null;
}

/** As much of an item as is printed. */
type PrintedItem = Pick<StoredItem, 'id' | 'position'>;

/** A page of a batch's items. @param afterPosition that of the last item of the page before; 0 for the first page */
export const listItems = async (
  db: Queryable,
  batchId: string,
  afterPosition: number,
  limit: number,
): Promise<StoredItem[]> => {
  const { rows } = await db.query<StoredItem>({
    name: 'list-serialized-items',
    text: `SELECT id, position, scan_count AS "scanCount", first_scanned_at AS "firstScannedAt",
             first_scan_country AS "firstScanCountry"
           FROM serialized_items WHERE batch_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
    values: [batchId, afterPosition, limit],
  });
  return rows;
};

const listPrinted = async (
  db: Queryable,
  batchId: string,
  afterPosition: number,
  limit: number,
): Promise<PrintedItem[]> => {
  const { rows } = await db.query<PrintedItem>({
    name: 'list-printed-items',
    text: 'SELECT id, position FROM serialized_items WHERE batch_id = $1 AND position > $2 ORDER BY position LIMIT $3',
    values: [batchId, afterPosition, limit],
  });
  return rows;
};

/** To read a page of so many takes about a millisecond of the event loop. */
const pageRows = 500;

/** All items of a batch, at the pace of the reader: each page is one statement, and no transaction stays open between. */
export async function* itemPages(db: Queryable, batchId: string): AsyncGenerator<PrintedItem[]> {
  let afterPosition = 0;
  for (;;) {
    const page = await listPrinted(db, batchId, afterPosition, pageRows);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterPosition = last.position;
  }
}

/** Of a batch whose minting failed. */
export const deleteItems = async (db: Queryable, batchId: string): Promise<void> => {
  await db.query({
    name: 'delete-serialized-items',
    text: 'DELETE FROM serialized_items WHERE batch_id = $1',
    values: [batchId],
  });
};
