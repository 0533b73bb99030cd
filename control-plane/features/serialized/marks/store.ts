/** Marks in PostgreSQL, and the items that have them. */
import type { ItemMark } from '#schemas/verification.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { StoredItem } from '../store/items.ts';

export interface StoredMark {
  itemId: string;
  state: ItemMark;
  note: string | null;
  markedAt: Date;
}

/** An item with all that is known of it. */
export interface DetailedItem extends StoredItem {
  lastScannedAt: Date | null;
  /** Empty if it is not known. */
  lastScanCountry: string | null;
  /** Null if it has none. */
  mark: ItemMark | null;
  note: string | null;
  markedAt: Date | null;
}

const detailColumns = `i.id, i.position, i.scan_count AS "scanCount", i.first_scanned_at AS "firstScannedAt",
  i.first_scan_country AS "firstScanCountry", i.last_scanned_at AS "lastScannedAt", i.last_scan_country AS "lastScanCountry",
  m.state AS mark, m.note, m.marked_at AS "markedAt"`;

/** @returns undefined if the batch has no such item */
export const findItem = async (
  db: Queryable,
  batchId: string,
  itemId: string,
): Promise<DetailedItem | undefined> => {
  const { rows } = await db.query<DetailedItem>({
    name: 'find-serialized-item',
    text: `SELECT ${detailColumns} FROM serialized_items i LEFT JOIN serialized_marks m ON m.item_id = i.id
           WHERE i.id = $1 AND i.batch_id = $2`,
    values: [itemId, batchId],
  });
  return rows[0];
};

export interface MarkedPage {
  /** The position of the last item of the page before; 0 for the first page. */
  after: number;
  /** Items with this mark alone. */
  state: ItemMark | undefined;
  limit: number;
}

export const listMarked = async (
  db: Queryable,
  batchId: string,
  { after, state, limit }: MarkedPage,
): Promise<DetailedItem[]> => {
  const { rows } = await db.query<DetailedItem>({
    name: 'list-marked-items',
    text: `SELECT ${detailColumns} FROM serialized_marks m JOIN serialized_items i ON i.id = m.item_id
           WHERE m.batch_id = $1 AND m.position > $2 AND m.state = coalesce($3, m.state)
           ORDER BY m.position LIMIT $4`,
    values: [batchId, after, state ?? null, limit],
  });
  return rows;
};

export interface PlacedItem {
  id: string;
  position: number;
}

/** The items of a batch among some ids. Items of a completed batch stay: they need no lock. */
export const findPlaces = async (
  db: Queryable,
  batchId: string,
  ids: readonly string[],
): Promise<PlacedItem[]> => {
  const { rows } = await db.query<PlacedItem>({
    name: 'find-places-of-items',
    text: 'SELECT id, position FROM serialized_items WHERE id = ANY($2) AND batch_id = $1',
    values: [batchId, ids],
  });
  return rows;
};

/** Adds the pages that do not exist. @returns how many there were */
export const addPages = async (
  tx: Transaction,
  batchId: string,
  pageIds: readonly string[],
): Promise<number> => {
  const { rowCount } = await tx.query({
    name: 'add-mark-pages',
    text: `INSERT INTO serialized_mark_pages (id, batch_id) SELECT id, $1 FROM unnest($2::text[]) AS page (id)
           ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING`,
    values: [batchId, pageIds],
  });
  return rowCount ?? 0;
};

/** Locks pages in the order of their ids, and with them the marks of their items. */
export const lockPages = async (tx: Transaction, pageIds: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'lock-mark-pages',
    text: 'SELECT FROM serialized_mark_pages WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
    values: [pageIds],
  });
};

export interface PageVersion {
  id: string;
  version: number;
}

export const changePages = async (tx: Transaction, pageIds: readonly string[]): Promise<PageVersion[]> => {
  const { rows } = await tx.query<PageVersion>({
    name: 'change-mark-pages',
    text: `UPDATE serialized_mark_pages SET version = version + 1 WHERE id = ANY($1)
           RETURNING id, version::double precision AS version`,
    values: [pageIds],
  });
  return rows;
};

export const readMarks = async (db: Queryable, itemIds: readonly string[]): Promise<StoredMark[]> => {
  const { rows } = await db.query<StoredMark>({
    name: 'read-marks',
    text: `SELECT item_id AS "itemId", state, note, marked_at AS "markedAt" FROM serialized_marks
           WHERE item_id = ANY($1)`,
    values: [itemIds],
  });
  return rows;
};

export type NewMark = StoredMark & { pageId: string; position: number };

export const writeMarks = async (
  tx: Transaction,
  batchId: string,
  marks: readonly NewMark[],
): Promise<void> => {
  await tx.query({
    name: 'write-marks',
    text: `INSERT INTO serialized_marks (item_id, page_id, batch_id, position, state, note, marked_at)
           SELECT item_id, page_id, $1, position, state, note, marked_at
           FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::timestamptz[])
             AS mark (item_id, page_id, position, state, note, marked_at)
           ON CONFLICT (item_id) DO UPDATE
             SET state = excluded.state, note = excluded.note, marked_at = excluded.marked_at`,
    values: [
      batchId,
      marks.map(({ itemId }) => itemId),
      marks.map(({ pageId }) => pageId),
      marks.map(({ position }) => position),
      marks.map(({ state }) => state),
      marks.map(({ note }) => note),
      marks.map(({ markedAt }) => markedAt),
    ],
  });
};

export const removeMarks = async (tx: Transaction, itemIds: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'remove-marks',
    text: 'DELETE FROM serialized_marks WHERE item_id = ANY($1)',
    values: [itemIds],
  });
};

/** A page, with the ids of its items by mark: one after the other, null if there are none. */
export type StoredPage = PageVersion & Record<ItemMark, string | null>;

const idsWith = (state: ItemMark): string =>
  `string_agg(m.item_id, '' ORDER BY m.item_id) FILTER (WHERE m.state = '${state}') AS ${state}`;

/** One statement, so that a page is of one moment. */
export const readPages = async (db: Queryable, ids: readonly string[]): Promise<StoredPage[]> => {
  const { rows } = await db.query<StoredPage>({
    name: 'read-mark-pages',
    text: `SELECT p.id, p.version::double precision AS version, ${idsWith('recalled')}, ${idsWith('stolen')},
             ${idsWith('returned')}
           FROM serialized_mark_pages p LEFT JOIN serialized_marks m ON m.page_id = p.id
           WHERE p.id = ANY($1) GROUP BY p.id`,
    values: [ids],
  });
  return rows;
};
