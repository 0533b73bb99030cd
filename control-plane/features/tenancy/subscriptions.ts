/** One subscription, for transactions that change it. */
import type { Plan, SubscriptionStatus } from '#schemas/api/plans.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export interface SubscriptionTerms {
  plan: Plan;
  status: SubscriptionStatus;
}

/** Locks its row until the transaction ends. @returns undefined if there is no such subscription */
export const lockSubscription = async (
  tx: Transaction,
  id: string,
): Promise<SubscriptionTerms | undefined> => {
  const { rows } = await tx.query<SubscriptionTerms>(
    'SELECT plan, status FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  return rows[0];
};

/** @returns undefined if there is no such workspace */
export const findSubscriptionOf = async (db: Queryable, workspaceId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>(
    'SELECT subscription_id AS id FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return rows[0]?.id;
};

export const listWorkspacesOf = async (db: Queryable, subscriptionId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM workspaces WHERE subscription_id = $1 ORDER BY id',
    [subscriptionId],
  );
  return rows.map(({ id }) => id);
};

/** Every process is notified when the transaction commits. @returns the new version */
export const writeSubscription = async (
  tx: Transaction,
  id: string,
  { plan, status }: SubscriptionTerms,
): Promise<number> => {
  const { rows } = await tx.query<{ version: number }>(
    `UPDATE subscriptions SET plan = $2, status = $3, version = version + 1 WHERE id = $1
     RETURNING version::double precision AS version`,
    [id, plan, status],
  );
  return rows[0]?.version ?? 0;
};

/** Codes without a limit are not counted: the next creation under a limit counts all of them. */
export const forgetUsage = async (tx: Transaction, subscriptionId: string): Promise<void> => {
  await tx.query("DELETE FROM quota_usage WHERE subscription_id = $1 AND capability = 'dynamicQr'", [
    subscriptionId,
  ]);
};
