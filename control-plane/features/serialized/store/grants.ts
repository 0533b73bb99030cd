/** Blocks of items that subscriptions have bought. */
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { addPurchased, type QuotaUse } from './quotas.ts';

const findSubscription = async (db: Queryable, workspaceId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ subscriptionId: string }>({
    name: 'find-subscription-of-workspace',
    text: 'SELECT subscription_id AS "subscriptionId" FROM workspaces WHERE id = $1',
    values: [workspaceId],
  });
  return rows[0]?.subscriptionId;
};

/** @returns the quota of the workspace's subscription as it is now; undefined where there is no such workspace */
export const grantItems = (
  pool: Pool,
  workspaceId: string,
  items: number,
): Promise<(QuotaUse & { subscriptionId: string }) | undefined> =>
  inTransaction(pool, async (tx) => {
    const subscriptionId = await findSubscription(tx, workspaceId);
    if (subscriptionId === undefined) return undefined;
    return { subscriptionId, ...(await addPurchased(tx, subscriptionId, items)) };
  });
