/** The counts of views in PostgreSQL. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

/** What one process adds at once. The same number again is the same batch. */
export interface ViewBatch {
  /** A UUID. */
  writer: string;
  number: number;
  /** By the id of the page. */
  views: ReadonlyMap<string, number>;
}

/**
 * Adds the views of a batch, once, however often it is sent. A process that has not written for a week is gone: what is known of it
 * is removed with the first batch of another one.
 */
export const addViews = async (db: Queryable, { writer, number, views }: ViewBatch): Promise<void> => {
  // Always in the same order, so that two processes never wait for each other's rows.
  const sorted = [...views].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.query({
    name: 'add-hosted-page-views',
    text: `WITH new AS (
             INSERT INTO hosted_page_view_writers AS w (writer_id, sequence) VALUES ($1, $2)
             ON CONFLICT (writer_id) DO UPDATE SET sequence = excluded.sequence, flushed_at = now()
             WHERE w.sequence < excluded.sequence
             RETURNING writer_id
           ), gone AS (
             DELETE FROM hosted_page_view_writers WHERE $2 = 1 AND flushed_at < now() - interval '7 days'
           )
           INSERT INTO hosted_page_views AS v (page_id, views)
           SELECT n.page_id, n.views FROM unnest($3::text[], $4::bigint[]) AS n (page_id, views)
           WHERE EXISTS (SELECT FROM new) AND EXISTS (SELECT FROM hosted_pages p WHERE p.id = n.page_id)
           ON CONFLICT (page_id) DO UPDATE SET views = v.views + excluded.views`,
    values: [writer, number, sorted.map(([id]) => id), sorted.map(([, count]) => count)],
  });
};

/** Adds views, in the transaction that notes where they came from. Views of pages that do not exist are left out. */
export const addReportedViews = async (
  tx: Transaction,
  views: ReadonlyMap<string, number>,
): Promise<void> => {
  const sorted = [...views].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.query({
    name: 'add-reported-page-views',
    text: `INSERT INTO hosted_page_views AS v (page_id, views)
           SELECT n.page_id, n.views FROM unnest($1::text[], $2::bigint[]) AS n (page_id, views)
           WHERE EXISTS (SELECT FROM hosted_pages p WHERE p.id = n.page_id)
           ON CONFLICT (page_id) DO UPDATE SET views = v.views + excluded.views`,
    values: [sorted.map(([id]) => id), sorted.map(([, count]) => count)],
  });
};
