/** Subscriptions, workspaces and keys in PostgreSQL. */
import {
  type LimitOverrides,
  limitOverrides,
  type Plan,
  type Role,
  type SubscriptionStatus,
} from '#schemas/api/plans.ts';
import { createApiKey } from '#shared/ids.ts';
import { parseNetwork } from '#shared/networks.ts';
import type { Principal } from '../../api/access/authentication.ts';
import { termsOf } from '../../api/access/plans.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { defaultIds } from './default-ids.ts';
import { addKey, insertKey, type NewKey } from './keys/store.ts';
import { forgetUsage } from './subscriptions.ts';
import { subscriptionIds, workspaceIds } from './test-workspaces.ts';

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
    await insertKey(tx, { ...ownersKey(workspaceId), apiKey });
    noteSubject({ workspaceId, resourceId: workspaceId });
    return { workspaceId, subscriptionId, apiKey };
  });

/** A key without restrictions, made by the operator. */
const operatorsKey = (workspaceId: string, role: Role, name: string | null): NewKey => ({
  workspaceId,
  role,
  name,
  scopes: [],
  permissions: null,
  allowedIps: null,
  domains: null,
  expiresAt: null,
  createdBy: null,
});

const ownersKey = (workspaceId: string): NewKey => operatorsKey(workspaceId, 'owner', null);

/**
 * Ensures that `apiKey` exists and opens the workspace `default`, on the largest plan. Repeating it changes nothing;
 * with another key, the earlier one keeps working.
 */
export const ensureDefaultWorkspace = (pool: Pool, apiKey: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await insertSubscription(tx, defaultIds.subscriptionId, 'enterprise');
    await insertWorkspace(tx, defaultIds.workspaceId, defaultIds.subscriptionId, 'default');
    await insertKey(tx, { ...ownersKey(defaultIds.workspaceId), apiKey });
  });

interface PrincipalRow extends Omit<Principal, 'terms' | 'allowedIps'> {
  keyHash: string;
  plan: Plan;
  limits: unknown;
  allowedIps: string[] | null;
}

/**
 * Principals by the hash of their secret; unknown and revoked keys are absent, expired ones are not.
 * @param keyHashes SHA-256 in base64url
 */
export const findPrincipals = async (
  db: Queryable,
  keyHashes: readonly string[],
): Promise<ReadonlyMap<string, Principal>> => {
  const { rows } = await db.query<PrincipalRow>({
    name: 'find-principals',
    text: `SELECT translate(encode(h.key_hash, 'base64'), '+/=', '-_') AS "keyHash", k.id AS "keyId", k.role,
                  k.permissions, k.allowed_ips AS "allowedIps", k.domains,
                  (extract(epoch FROM least(k.expires_at, h.works_until)) * 1000)::double precision AS "expiresAtMs",
                  w.id AS "workspaceId", w.test_of IS NOT NULL AS "isTest",
                  s.id AS "subscriptionId", s.plan, s.status, s.limits
           FROM (SELECT key_hash, id, NULL::timestamptz AS works_until FROM api_keys WHERE key_hash = ANY($1)
                 UNION ALL
                 SELECT key_hash, key_id, works_until FROM api_key_graces WHERE key_hash = ANY($1)) h
             JOIN api_keys k ON k.id = h.id JOIN workspaces w ON w.id = k.workspace_id
             JOIN subscriptions s ON s.id = w.subscription_id
           WHERE k.revoked_at IS NULL`,
    values: [keyHashes.map((keyHash) => Buffer.from(keyHash, 'base64url'))],
  });
  return new Map(
    rows.map(({ keyHash, plan, limits, allowedIps, ...principal }) => [
      keyHash,
      {
        ...principal,
        allowedIps: allowedIps?.map(parseNetwork) ?? null,
        terms: {
          ...termsOf(plan, limitOverrides.parse(limits)),
          ...(principal.isTest && { isTest: true }),
        },
      },
    ]),
  );
};

/**
 * A further key of a workspace, made by the operator.
 * @returns the secret, which cannot be shown again; undefined if there is no such workspace
 * @throws {ClientError} CONFLICT if the workspace has as many keys as it may have
 */
export const createKey = async (
  pool: Pool,
  { workspaceId, role, name }: { workspaceId: string; role: Role; name: string | null },
): Promise<{ keyId: string; apiKey: string } | undefined> => {
  const made = await inTransaction(pool, (tx) => addKey(tx, operatorsKey(workspaceId, role, name)));
  return made && { keyId: made.key.keyId, apiKey: made.apiKey };
};

export interface WorkspaceSummary {
  workspaceId: string;
  name: string;
  /** The workspace whose test data it is. */
  testOf: string | null;
  subscriptionId: string;
  plan: Plan;
  status: SubscriptionStatus;
  limits: LimitOverrides;
  keys: number;
  codes: number;
  createdAt: Date;
}

/** Of a key that was let in: it exists. */
export const findWorkspace = async (
  db: Queryable,
  workspaceId: string,
): Promise<{ name: string; createdAt: Date }> => {
  const { rows } = await db.query<{ name: string; createdAt: Date }>({
    name: 'find-workspace',
    text: 'SELECT name, created_at AS "createdAt" FROM workspaces WHERE id = $1',
    values: [workspaceId],
  });
  return rows[0]!;
};

/** Oldest first. */
export const listWorkspaces = async (db: Queryable): Promise<WorkspaceSummary[]> => {
  const { rows } = await db.query<WorkspaceSummary>(
    `SELECT w.id AS "workspaceId", w.name, w.test_of AS "testOf", s.id AS "subscriptionId", s.plan, s.status, s.limits,
            (SELECT count(*)::integer FROM api_keys k WHERE k.workspace_id = w.id AND k.revoked_at IS NULL) AS keys,
            (SELECT coalesce(sum(c.codes), 0)::integer FROM code_counts c WHERE c.workspace_id = w.id) AS codes,
            w.created_at AS "createdAt"
     FROM workspaces w JOIN subscriptions s ON s.id = w.subscription_id
     ORDER BY w.created_at, w.id`,
  );
  return rows;
};

export const workspaceExists = async (db: Queryable, workspaceId: string): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT FROM workspaces WHERE id = $1', [workspaceId]);
  return rowCount === 1;
};

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
