/** Purchased blocks of serialized items in PostgreSQL. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export interface Block {
  payment: string;
  subscriptionId: string;
  items: number;
  /** Its price was refunded before it was granted. */
  isReturned: boolean;
}

/** @returns false if this payment's block was inserted before */
export const insertBlock = async (tx: Transaction, block: Block): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `INSERT INTO billing_blocks (id, subscription_id, items, returned_at)
     VALUES ($1, $2, $3, CASE WHEN $4 THEN clock_timestamp() END) ON CONFLICT DO NOTHING`,
    [block.payment, block.subscriptionId, block.items, block.isReturned],
  );
  return rowCount === 1;
};

export const findPayer = async (db: Queryable, payment: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ subscriptionId: string }>(
    'SELECT subscription_id AS "subscriptionId" FROM billing_blocks WHERE id = $1',
    [payment],
  );
  return rows[0]?.subscriptionId;
};

/** Returns a block once. @returns the number of items to remove from the quota; undefined if there is no such block */
export const returnBlock = async (
  tx: Transaction,
  subscriptionId: string,
  payment: string,
): Promise<number | undefined> => {
  const { rows } = await tx.query<{ items: number }>(
    `UPDATE billing_blocks SET returned_at = clock_timestamp()
     WHERE id = $2 AND subscription_id = $1 AND returned_at IS NULL RETURNING items`,
    [subscriptionId, payment],
  );
  return rows[0]?.items;
};
