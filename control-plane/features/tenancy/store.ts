/** Subscriptions, workspaces and keys in PostgreSQL. */
import {
  type LimitOverrides,
  limitOverrides,
  type Plan,
  type Role,
  type SubscriptionStatus,
} from '#schemas/api/plans.ts';
import { createApiKey, prefixedIds } from '#shared/ids.ts';
import { hashKey, type Principal } from '../../api/access/authentication.ts';
import { termsOf } from '../../api/access/plans.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { forgetUsage } from './subscriptions.ts';

export const workspaceIds = prefixedIds('ws');
export const subscriptionIds = prefixedIds('sub');
export const keyIds = prefixedIds('key');

export interface NewWorkspace {
  workspaceId: string;
  subscriptionId: string;
  /** Only its hash is stored, so it cannot be shown again. */
  apiKey: string;
}

/** Creates a workspace with its own subscription and a first key, an owner's. */
export const createWorkspace = (pool: Pool, name: string, plan: Plan): Promise<NewWorkspace> =>
  inTransaction(pool, async (tx) => {
    const workspaceId = workspaceIds.create();
    const subscriptionId = subscriptionIds.create();
    const apiKey = createApiKey();
    await insertSubscription(tx, subscriptionId, plan);
    await insertWorkspace(tx, workspaceId, subscriptionId, name);
    await insertKey(tx, { workspaceId, apiKey, role: 'owner', name: null });
    noteSubject({ workspaceId, resourceId: workspaceId });
    return { workspaceId, subscriptionId, apiKey };
  });

/** Fixed, so that processes starting at the same time use the same workspace; no generated id can equal them. */
const defaultIds = { workspaceId: 'ws_default', subscriptionId: 'sub_default' };

/**
 * Ensures that `apiKey` exists and opens the workspace `default`, on the largest plan. Repeating it changes nothing;
 * with another key, the earlier one keeps working.
 */
export const ensureDefaultWorkspace = (pool: Pool, apiKey: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await insertSubscription(tx, defaultIds.subscriptionId, 'enterprise');
    await insertWorkspace(tx, defaultIds.workspaceId, defaultIds.subscriptionId, 'default');
    await insertKey(tx, { workspaceId: defaultIds.workspaceId, apiKey, role: 'owner', name: null });
  });

interface PrincipalRow extends Omit<Principal, 'terms'> {
  keyHash: string;
  plan: Plan;
  limits: unknown;
}

/** Principals by the hash of their key; unknown and revoked keys are absent. @param keyHashes SHA-256 in base64url */
export const findPrincipals = async (
  db: Queryable,
  keyHashes: readonly string[],
): Promise<ReadonlyMap<string, Principal>> => {
  const { rows } = await db.query<PrincipalRow>({
    name: 'find-principals',
    text: `SELECT translate(encode(k.key_hash, 'base64'), '+/=', '-_') AS "keyHash", k.id AS "keyId", k.role,
                  w.id AS "workspaceId", s.id AS "subscriptionId", s.plan, s.status, s.limits
           FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id JOIN subscriptions s ON s.id = w.subscription_id
           WHERE k.key_hash = ANY($1) AND k.revoked_at IS NULL`,
    values: [keyHashes.map((keyHash) => Buffer.from(keyHash, 'base64url'))],
  });
  return new Map(
    rows.map(({ keyHash, plan, limits, ...principal }) => [
      keyHash,
      { ...principal, terms: termsOf(plan, limitOverrides.parse(limits)) },
    ]),
  );
};

export interface WorkspaceSummary {
  workspaceId: string;
  name: string;
  subscriptionId: string;
  plan: Plan;
  status: SubscriptionStatus;
  limits: LimitOverrides;
  keys: number;
  codes: number;
  createdAt: Date;
}

/** Oldest first. */
export const listWorkspaces = async (db: Queryable): Promise<WorkspaceSummary[]> => {
  const { rows } = await db.query<WorkspaceSummary>(
    `SELECT w.id AS "workspaceId", w.name, s.id AS "subscriptionId", s.plan, s.status, s.limits,
            (SELECT count(*)::integer FROM api_keys k WHERE k.workspace_id = w.id AND k.revoked_at IS NULL) AS keys,
            (SELECT coalesce(sum(c.codes), 0)::integer FROM code_counts c WHERE c.workspace_id = w.id) AS codes,
            w.created_at AS "createdAt"
     FROM workspaces w JOIN subscriptions s ON s.id = w.subscription_id
     ORDER BY w.created_at, w.id`,
  );
  return rows;
};

export interface NewKey {
  workspaceId: string;
  role: Role;
  name: string | null;
}

/**
 * A further key of a workspace.
 * @returns the key, which cannot be shown again; undefined if there is no such workspace
 */
export const createKey = (pool: Pool, key: NewKey): Promise<{ keyId: string; apiKey: string } | undefined> =>
  inTransaction(pool, async (tx) => {
    const apiKey = createApiKey();
    const keyId = await insertKey(tx, { ...key, apiKey });
    if (keyId === undefined) return undefined;
    noteSubject({ resourceId: keyId });
    return { keyId, apiKey };
  });

export interface KeySummary {
  keyId: string;
  /** Enough of the key to recognise it; the rest is not stored. */
  prefix: string;
  name: string | null;
  role: Role;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

export const workspaceExists = async (db: Queryable, workspaceId: string): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT FROM workspaces WHERE id = $1', [workspaceId]);
  return rowCount === 1;
};

/** Oldest first, including revoked ones. */
export const listKeys = async (db: Queryable, workspaceId: string): Promise<KeySummary[]> => {
  const { rows } = await db.query<KeySummary>(
    `SELECT id AS "keyId", prefix, name, role, scopes, created_at AS "createdAt", revoked_at AS "revokedAt"
     FROM api_keys WHERE workspace_id = $1 ORDER BY created_at, id`,
    [workspaceId],
  );
  return rows;
};

/** Revoking it again changes nothing. @returns the time of its revocation; undefined if there is no such key */
export const revokeKey = (pool: Pool, keyId: string): Promise<Date | undefined> =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ workspaceId: string; revokedAt: Date }>(
      `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1
       RETURNING workspace_id AS "workspaceId", revoked_at AS "revokedAt"`,
      [keyId],
    );
    if (rows[0]) noteSubject({ workspaceId: rows[0].workspaceId, resourceId: keyId });
    return rows[0]?.revokedAt;
  });

export interface SubscriptionChange {
  plan?: Plan | undefined;
  status?: SubscriptionStatus | undefined;
  /** Undefined values stay; limits in `resetLimits` return to the plan's. */
  limits?: LimitOverrides;
  resetLimits?: readonly string[];
}

export interface SubscriptionSummary {
  subscriptionId: string;
  plan: Plan;
  status: SubscriptionStatus;
  limits: LimitOverrides;
}

/** @returns undefined if there is no such subscription */
export const readSubscription = async (
  db: Queryable,
  id: string,
): Promise<SubscriptionSummary | undefined> => {
  const { rows } = await db.query<SubscriptionSummary>(
    'SELECT id AS "subscriptionId", plan, status, limits FROM subscriptions WHERE id = $1',
    [id],
  );
  return rows[0];
};

/** Changes the subscription of a workspace. @returns undefined if there is no such workspace */
export const changeSubscription = (
  pool: Pool,
  workspaceId: string,
  change: SubscriptionChange,
): Promise<SubscriptionSummary | undefined> =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<SubscriptionSummary>(
      `UPDATE subscriptions SET plan = coalesce($2, plan), status = coalesce($3, status), limits = (limits || $4) - $5::text[]
       WHERE id = (SELECT subscription_id FROM workspaces WHERE id = $1)
       RETURNING id AS "subscriptionId", plan, status, limits`,
      [workspaceId, change.plan, change.status, change.limits ?? {}, change.resetLimits ?? []],
    );
    const changed = rows[0];
    if (changed) await forgetUsage(tx, changed.subscriptionId);
    return changed;
  });

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

/** @returns the new key's id; undefined if there is no such workspace, or the key exists */
const insertKey = async (db: Queryable, key: NewKey & { apiKey: string }): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO api_keys (id, workspace_id, prefix, key_hash, role, name)
     SELECT $1, w.id, $3, $4, $5, $6 FROM workspaces w WHERE w.id = $2
     ON CONFLICT (key_hash) DO NOTHING RETURNING id`,
    [
      keyIds.create(),
      key.workspaceId,
      key.apiKey.slice(0, prefixLength),
      Buffer.from(hashKey(key.apiKey), 'base64url'),
      key.role,
      key.name,
    ],
  );
  return rows[0]?.id;
};
