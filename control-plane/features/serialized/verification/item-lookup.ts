/** The states of items in PostgreSQL, for redirectors that neither hold them nor find them in Redis. */
import type { ItemState } from '#schemas/verification.ts';
import { isItemIdShaped } from '#shared/serial-signatures.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

interface ItemRow {
  id: string;
  batchId: string;
  scanCount: number;
  firstScannedAt: Date | null;
  firstScanCountry: string | null;
}

const toState = ({ firstScannedAt, firstScanCountry, ...item }: ItemRow): ItemState => ({
  ...item,
  ...(firstScannedAt && { first: { atMs: firstScannedAt.getTime(), country: firstScanCountry ?? '' } }),
});

/** In any order; unknown ids are absent. */
export const findItemStates = async (db: Queryable, ids: readonly string[]): Promise<ItemState[]> => {
  // The database rejects some texts, and no item has an id of another form.
  const asked = ids.filter(isItemIdShaped);
  if (asked.length === 0) return [];
  const { rows } = await db.query<ItemRow>({
    name: 'find-item-states',
    text: `SELECT id, batch_id AS "batchId", scan_count AS "scanCount", first_scanned_at AS "firstScannedAt",
                  first_scan_country AS "firstScanCountry"
           FROM serialized_items WHERE id = ANY($1)`,
    values: [asked],
  });
  return rows.map(toState);
};
