/** The changes that scans of items make in PostgreSQL, one function per statement. */
import type { Transaction } from '../../../../platform/db/transaction.ts';
import type { Moment } from '../risk/risk.ts';
import type { Item } from './claims.ts';

interface ItemRow {
  id: string;
  batchId: string;
  scanCount: number;
  firstAt: Date | null;
  firstCountry: string | null;
  lastAt: Date | null;
  lastCountry: string | null;
  claimReported: boolean;
}

const toMoment = (at: Date | null, country: string | null): Moment | undefined =>
  at ? { atMs: at.getTime(), country: country ?? '' } : undefined;

const toItem = ({ firstAt, firstCountry, lastAt, lastCountry, ...item }: ItemRow): Item => ({
  ...item,
  first: toMoment(firstAt, firstCountry),
  last: toMoment(lastAt, lastCountry),
});

/** Locks items in the order of their ids, like all code that locks several. Unknown ids are absent. */
export const lockItems = async (tx: Transaction, ids: readonly string[]): Promise<Item[]> => {
  const { rows } = await tx.query<ItemRow>({
    name: 'lock-items',
    text: `SELECT id, batch_id AS "batchId", scan_count AS "scanCount", claim_reported AS "claimReported",
                  first_scanned_at AS "firstAt", first_scan_country AS "firstCountry",
                  last_scanned_at AS "lastAt", last_scan_country AS "lastCountry"
           FROM serialized_items WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`,
    values: [ids],
  });
  return rows.map(toItem);
};

export const updateItems = async (tx: Transaction, items: readonly Item[]): Promise<void> => {
  const dates = (moments: readonly (Moment | undefined)[]) => moments.map((at) => at && new Date(at.atMs));
  const countries = (moments: readonly (Moment | undefined)[]) => moments.map((at) => at?.country);
  const first = items.map((item) => item.first);
  const last = items.map((item) => item.last);
  await tx.query({
    name: 'update-items',
    text: `UPDATE serialized_items AS item
           SET scan_count = changed.scan_count, claim_reported = changed.claim_reported,
               first_scanned_at = changed.first_at, first_scan_country = changed.first_country,
               last_scanned_at = changed.last_at, last_scan_country = changed.last_country
           FROM unnest($1::text[], $2::integer[], $3::boolean[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::text[])
             AS changed (id, scan_count, claim_reported, first_at, first_country, last_at, last_country)
           WHERE item.id = changed.id`,
    values: [
      items.map(({ id }) => id),
      items.map(({ scanCount }) => scanCount),
      items.map(({ claimReported }) => claimReported),
      dates(first),
      countries(first),
      dates(last),
      countries(last),
    ],
  });
};

/** The facts about an item's batch that events need. */
export interface BatchFacts {
  id: string;
  workspaceId: string;
  productSku: string | null;
  productName: string | null;
}

export const findBatchFacts = async (tx: Transaction, ids: readonly string[]): Promise<BatchFacts[]> => {
  const { rows } = await tx.query<BatchFacts>({
    name: 'find-batch-facts',
    text: `SELECT id, workspace_id AS "workspaceId", product_sku AS "productSku", product_name AS "productName"
           FROM serialized_batches WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

/** Adds claimed items to the counts of their batches, which are locked in the order of their ids. */
export const addScanned = async (tx: Transaction, scanned: ReadonlyMap<string, number>): Promise<void> => {
  await tx.query({
    name: 'add-scanned',
    text: `WITH locked AS (SELECT id FROM serialized_batches WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
           UPDATE serialized_batches AS batch SET scanned = scanned + added.items
           FROM unnest($1::text[], $2::integer[]) AS added (id, items) JOIN locked USING (id)
           WHERE batch.id = added.id`,
    values: [[...scanned.keys()], [...scanned.values()]],
  });
};
