/** Subscriptions, workspaces and keys in PostgreSQL. */

import type { Plan } from '#schemas/api/plans.ts';
import { createApiKey, createId } from '#shared/ids.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { hashKey, type Principal } from '../../http/auth.ts';

export interface NewWorkspace {
  workspaceId: string;
  subscriptionId: string;
  /** The only time it is seen: what is stored is its hash. */
  apiKey: string;
}

/** A workspace with a subscription of its own and a first key. */
export const createWorkspace = (pool: Pool, name: string, plan: Plan): Promise<NewWorkspace> =>
  inTransaction(pool, async (tx) => {
    const workspaceId = createId('ws');
    const subscriptionId = createId('sub');
    const apiKey = createApiKey();
    await insertSubscription(tx, subscriptionId, plan);
    await insertWorkspace(tx, workspaceId, subscriptionId, name);
    await insertKey(tx, workspaceId, apiKey);
    return { workspaceId, subscriptionId, apiKey };
  });

/** Fixed, so that processes that start at the same time mean the same workspace; no generated id can equal them. */
const defaultIds = { workspaceId: 'ws_default', subscriptionId: 'sub_default' };

/**
 * Makes `apiKey` exist and open the workspace `default`, on the largest plan. Repeating it changes nothing; with
 * another key, the earlier one goes on working.
 */
export const ensureDefaultWorkspace = (pool: Pool, apiKey: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await insertSubscription(tx, defaultIds.subscriptionId, 'enterprise');
    await insertWorkspace(tx, defaultIds.workspaceId, defaultIds.subscriptionId, 'default');
    await insertKey(tx, defaultIds.workspaceId, apiKey);
  });

/** Whom the key with this hash speaks for, or undefined for an unknown or revoked one. */
export const findPrincipal = async (db: Queryable, keyHash: Buffer): Promise<Principal | undefined> => {
  const { rows } = await db.query<Principal>({
    name: 'find-principal',
    text: `SELECT k.id AS "keyId", w.id AS "workspaceId", w.subscription_id AS "subscriptionId"
           FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
           WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
    values: [keyHash],
  });
  return rows[0];
};

const insertSubscription = async (tx: Transaction, id: string, plan: Plan): Promise<void> => {
  await tx.query('INSERT INTO subscriptions (id, plan) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [
    id,
    plan,
  ]);
};

const insertWorkspace = async (
  tx: Transaction,
  id: string,
  subscriptionId: string,
  name: string,
): Promise<void> => {
  await tx.query(
    'INSERT INTO workspaces (id, subscription_id, name) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING',
    [id, subscriptionId, name],
  );
};

/** Enough of a key to recognise it in a list, and too little to guess the rest. */
const prefixLength = 7;

const insertKey = async (tx: Transaction, workspaceId: string, apiKey: string): Promise<void> => {
  await tx.query(
    `INSERT INTO api_keys (id, workspace_id, prefix, key_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (key_hash) DO NOTHING`,
    [createId('key'), workspaceId, apiKey.slice(0, prefixLength), hashKey(apiKey)],
  );
};
