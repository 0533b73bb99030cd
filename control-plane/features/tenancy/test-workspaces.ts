/**
 * The test data of a workspace: a workspace of its own with a subscription of its own, both made with the first test key.
 * The database gives that subscription the plan and the status of the live one (0022_test-mode.sql).
 */
import { prefixedIds } from '#shared/ids.ts';
import { testLimits } from '../../api/access/plans.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export const workspaceIds = prefixedIds('ws');
export const subscriptionIds = prefixedIds('sub');

/** Locks the live workspace until the transaction ends. @returns the id of the test workspace */
export const ensureTestWorkspace = async (tx: Transaction, liveId: string): Promise<string> => {
  const { rows: live } = await tx.query<{ name: string; subscriptionId: string }>(
    'SELECT name, subscription_id AS "subscriptionId" FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
    [liveId],
  );
  const { name, subscriptionId } = live[0]!;
  const { rows: known } = await tx.query<{ id: string }>('SELECT id FROM workspaces WHERE test_of = $1', [
    liveId,
  ]);
  if (known[0]) return known[0].id;
  // The live subscription is locked, so that no change of its plan is missed.
  await tx.query('SELECT FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE', [subscriptionId]);
  await tx.query(
    `INSERT INTO subscriptions (id, plan, status, limits, test_of)
     SELECT $2, plan, status, $3, id FROM subscriptions WHERE id = $1 ON CONFLICT (test_of) DO NOTHING`,
    [subscriptionId, subscriptionIds.create(), testLimits],
  );
  const { rows: made } = await tx.query<{ id: string }>(
    `INSERT INTO workspaces (id, subscription_id, name, test_of)
     SELECT $2, s.id, $3, $4 FROM subscriptions s WHERE s.test_of = $1 RETURNING id`,
    [subscriptionId, workspaceIds.create(), `${name} (test)`, liveId],
  );
  return made[0]!.id;
};
