/** How many items subscriptions have bought and minted, in PostgreSQL. A change locks the row of the subscription. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export interface QuotaUse {
  purchased: number;
  minted: number;
}

export const readQuota = async (db: Queryable, subscriptionId: string): Promise<QuotaUse> => {
  const { rows } = await db.query<QuotaUse>({
    name: 'read-serialized-quota',
    text: 'SELECT purchased, minted FROM serialized_quotas WHERE subscription_id = $1',
    values: [subscriptionId],
  });
  return rows[0] ?? { purchased: 0, minted: 0 };
};

const insertQuota = async (tx: Queryable, subscriptionId: string): Promise<void> => {
  await tx.query({
    name: 'insert-serialized-quota',
    text: 'INSERT INTO serialized_quotas (subscription_id) VALUES ($1) ON CONFLICT DO NOTHING',
    values: [subscriptionId],
  });
};

/**
 * Takes some of what remains, exactly, however many mints run at the same time: one statement checks and changes it, and its row
 * stays locked until the transaction ends.
 * @param allotment of the plan
 * @returns undefined, or the use so far where less remains
 */
export const reserveItems = async (
  tx: Transaction,
  subscriptionId: string,
  items: number,
  allotment: number,
): Promise<QuotaUse | undefined> => {
  await insertQuota(tx, subscriptionId);
  const { rowCount } = await tx.query({
    name: 'reserve-serialized-items',
    text: `UPDATE serialized_quotas SET minted = minted + $2
           WHERE subscription_id = $1 AND minted + $2 <= purchased + $3`,
    values: [subscriptionId, items, allotment],
  });
  return rowCount === 1 ? undefined : readQuota(tx, subscriptionId);
};

/** Gives back what a batch has taken. To be called once, in the transaction that removes its items. */
export const refundBatch = async (tx: Transaction, batchId: string): Promise<void> => {
  await tx.query({
    name: 'refund-serialized-batch',
    text: `UPDATE serialized_quotas q SET minted = q.minted - b.count FROM serialized_batches b
           WHERE b.id = $1 AND q.subscription_id = b.subscription_id`,
    values: [batchId],
  });
};

/** Test data has its whole allotment again. */
export const renewTestItems = async (db: Queryable): Promise<void> => {
  await db.query(
    `UPDATE serialized_quotas q SET minted = 0 FROM subscriptions s
     WHERE s.id = q.subscription_id AND s.test_of IS NOT NULL AND q.minted > 0`,
  );
};

/** As many as there can be beside a plan's allotment in an integer of PostgreSQL, by which they are counted. */
const purchasedMax = 2_000_000_000;

/** @param items a block that was bought; below zero, one that is given back @returns the use as it is now */
export const addPurchased = async (
  db: Queryable,
  subscriptionId: string,
  items: number,
): Promise<QuotaUse> => {
  const { rows } = await db.query<QuotaUse>({
    name: 'add-purchased-serialized-items',
    text: `INSERT INTO serialized_quotas AS q (subscription_id, purchased) VALUES ($1, greatest(0, $2::integer))
           ON CONFLICT (subscription_id) DO UPDATE SET purchased = greatest(0, least($3, q.purchased::bigint + $2::integer))
           RETURNING purchased, minted`,
    values: [subscriptionId, items, purchasedMax],
  });
  return rows[0]!;
};
