/** API keys in PostgreSQL. */
import { isDeepStrictEqual } from 'node:util';
import { earlierSecretsMax, type KeyMode, keysMax } from '#schemas/api/keys.ts';
import type { Permission } from '#schemas/api/permissions.ts';
import type { Role } from '#schemas/api/plans.ts';
import { createApiKey, prefixedIds } from '#shared/ids.ts';
import { hashKey } from '../../../api/access/authentication.ts';
import { countCapReached } from '../../../api/access/plans.ts';
import { isNoChange, noteSubject } from '../../../platform/db/actions.ts';
import { findOwned, type OwnedTable } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { endSecrets, forgetEnded, isLive } from './ended.ts';

export const keyIds = prefixedIds('key');

/** What a key may do, and from where, as it is stored. */
export interface StoredRestrictions {
  role: Role;
  /** Null: all. */
  permissions: Permission[] | null;
  /** CIDRs; null: any address. */
  allowedIps: string[] | null;
  /** Host names; null: any. */
  domains: string[] | null;
  /** Null: never. */
  expiresAt: Date | null;
}

export interface NewKey extends StoredRestrictions {
  workspaceId: string;
  name: string | null;
  scopes: readonly string[];
  /** The id of a key; null: an operator. */
  createdBy: string | null;
}

export interface Key extends StoredRestrictions {
  keyId: string;
  workspaceId: string;
  /** Enough of the secret to recognise it; the rest is not stored. */
  prefix: string;
  name: string | null;
  mode: KeyMode;
  scopes: string[];
  createdAt: Date;
  createdBy: string | null;
  lastUsedAt: Date | null;
  previousSecretExpiresAt: Date | null;
  revokedAt: Date | null;
  seq: string;
}

/** A key and its secret, which is not stored. */
export interface KeyWithSecret {
  key: Key;
  apiKey: string;
}

const ownedKeys: OwnedTable = {
  table: 'api_keys',
  noun: 'API key',
  isIdShaped: (id) => /^key_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

const columns = `id AS "keyId", workspace_id AS "workspaceId", prefix, name, role, scopes, permissions,
  allowed_ips AS "allowedIps", domains, expires_at AS "expiresAt", created_at AS "createdAt", created_by AS "createdBy",
  revoked_at AS "revokedAt", seq::text AS seq,
  (SELECT CASE WHEN w.test_of IS NULL THEN 'live' ELSE 'test' END FROM workspaces w WHERE w.id = workspace_id) AS mode,
  (SELECT u.used_at FROM api_key_uses u WHERE u.key_id = api_keys.id) AS "lastUsedAt",
  (SELECT max(g.works_until) FROM api_key_graces g WHERE g.key_id = api_keys.id AND g.works_until > now())
    AS "previousSecretExpiresAt"`;

/** Enough of a key to recognise it in a list, and too little to guess the rest. */
const prefixOf = (apiKey: string): string => apiKey.slice(0, apiKey.startsWith(testPrefix) ? 12 : 7);

const testPrefix = 'wm_test_';

const hashOf = (apiKey: string): Buffer => Buffer.from(hashKey(apiKey), 'base64url');

/** @returns its id; undefined if there is no such workspace, or the secret exists */
export const insertKey = async (
  db: Queryable,
  key: NewKey & { apiKey: string },
): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO api_keys (id, workspace_id, prefix, key_hash, role, name, scopes, permissions, allowed_ips, domains,
                           expires_at, created_by)
     SELECT $1, w.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM workspaces w
     WHERE w.id = $2 AND NOT EXISTS (SELECT FROM api_key_graces WHERE key_hash = $4)
     ON CONFLICT (key_hash) DO NOTHING RETURNING id`,
    [
      keyIds.create(),
      key.workspaceId,
      prefixOf(key.apiKey),
      hashOf(key.apiKey),
      key.role,
      key.name,
      key.scopes,
      key.permissions,
      key.allowedIps,
      key.domains,
      key.expiresAt,
      key.createdBy,
    ],
  );
  return rows[0]?.id;
};

/** Until the transaction ends, no other adds a key to the workspace. @returns undefined if there is no such workspace */
const lockWorkspace = async (tx: Transaction, id: string): Promise<{ isTest: boolean } | undefined> => {
  const { rows } = await tx.query<{ isTest: boolean }>(
    'SELECT test_of IS NOT NULL AS "isTest" FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  return rows[0];
};

/** @throws {ClientError} CONFLICT */
const requireRoom = async (tx: Transaction, workspaceId: string): Promise<void> => {
  const { rows } = await tx.query<{ live: number }>(
    `SELECT count(*)::integer AS live FROM api_keys WHERE workspace_id = $1 AND ${isLive}`,
    [workspaceId],
  );
  if (rows[0]!.live >= keysMax)
    throw countCapReached('keys', keysMax, `A workspace has at most ${keysMax} keys; revoke one first`);
};

/**
 * A further key of a workspace.
 * @returns undefined if there is no such workspace
 * @throws {ClientError} CONFLICT if the workspace has as many keys as it may have
 */
export const addKey = async (tx: Transaction, key: NewKey): Promise<KeyWithSecret | undefined> => {
  const workspace = await lockWorkspace(tx, key.workspaceId);
  if (!workspace) return undefined;
  await requireRoom(tx, key.workspaceId);
  await forgetEnded(tx, key.workspaceId);
  const apiKey = createApiKey(workspace.isTest ? testPrefix : undefined);
  const id = await insertKey(tx, { ...key, apiKey });
  noteSubject({ resourceId: id! });
  return { key: await findKey(tx, key.workspaceId, id!), apiKey };
};

/** Of the workspace and its test data. Newest first, ended ones included. @param beforeSeq where the last page ended */
export const listKeys = async (
  db: Queryable,
  workspaceId: string,
  { beforeSeq, limit }: { beforeSeq?: string | undefined; limit?: number } = {},
): Promise<Key[]> => {
  const { rows } = await db.query<Key>({
    name: 'list-keys',
    text: `SELECT ${columns} FROM api_keys
           WHERE workspace_id IN (SELECT id FROM workspaces WHERE id = $1 OR test_of = $1)
             AND ($2::bigint IS NULL OR seq < $2)
           ORDER BY seq DESC LIMIT $3`,
    values: [workspaceId, beforeSeq, limit],
  });
  return rows;
};

/** The workspace itself or, if the key opens its test data, that. */
const ownerOf = async (db: Queryable, workspaceId: string, keyId: string): Promise<string> => {
  if (!ownedKeys.isIdShaped(keyId)) return workspaceId;
  const { rows } = await db.query<{ id: string }>({
    name: 'find-owner-of-key',
    text: `SELECT w.id FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id WHERE k.id = $1 AND w.test_of = $2`,
    values: [keyId, workspaceId],
  });
  return rows[0]?.id ?? workspaceId;
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the key is another workspace's */
export const findKey = async (db: Queryable, workspaceId: string, keyId: string): Promise<Key> =>
  findOwned(db, ownedKeys, await ownerOf(db, workspaceId, keyId), keyId, {
    name: 'find-key',
    text: `SELECT ${columns} FROM api_keys WHERE id = $1 AND workspace_id = $2`,
  });

/** Locks a key until the transaction ends. @throws {ClientError} as {@link findKey} */
export const lockKey = async (tx: Transaction, workspaceId: string, keyId: string): Promise<Key> =>
  findOwned(tx, ownedKeys, await ownerOf(tx, workspaceId, keyId), keyId, {
    name: 'lock-key',
    text: `SELECT ${columns} FROM api_keys WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`,
  });

export interface KeyChanges extends StoredRestrictions {
  name: string | null;
}

const isChange = (key: Key, changes: KeyChanges): boolean =>
  (Object.keys(changes) as (keyof KeyChanges)[]).some((name) => !isDeepStrictEqual(key[name], changes[name]));

/** Writes nothing if nothing changes. @param key locked by this transaction */
export const updateKey = async (tx: Transaction, key: Key, changes: KeyChanges): Promise<Key> => {
  if (!isChange(key, changes)) {
    isNoChange(tx);
    return key;
  }
  await tx.query({
    name: 'update-key',
    text: `UPDATE api_keys SET name = $2, role = $3, permissions = $4, allowed_ips = $5, domains = $6, expires_at = $7
           WHERE id = $1`,
    values: [
      key.keyId,
      changes.name,
      changes.role,
      changes.permissions,
      changes.allowedIps,
      changes.domains,
      changes.expiresAt,
    ],
  });
  return findKey(tx, key.workspaceId, key.keyId);
};

/**
 * A new secret; the present one works until the grace ends. Without a grace, it and all earlier ones end at once.
 * @param key locked by this transaction
 */
export const rotateKey = async (tx: Transaction, key: Key, graceSeconds: number): Promise<KeyWithSecret> => {
  const apiKey = createApiKey(key.mode === 'test' ? testPrefix : undefined);
  await tx.query(
    `INSERT INTO api_key_graces (key_hash, key_id, works_until, rotated_at)
     SELECT key_hash, id, now() + make_interval(secs => $2), clock_timestamp() FROM api_keys WHERE id = $1`,
    [key.keyId, graceSeconds],
  );
  await endSecrets(tx, key.keyId, graceSeconds === 0 ? 0 : earlierSecretsMax);
  await tx.query('UPDATE api_keys SET key_hash = $2, prefix = $3 WHERE id = $1', [
    key.keyId,
    hashOf(apiKey),
    prefixOf(apiKey),
  ]);
  return { key: await findKey(tx, key.workspaceId, key.keyId), apiKey };
};

/** Revoking it again changes nothing. @returns the time of its revocation; undefined if there is no such key */
export const revokeKey = async (tx: Transaction, keyId: string): Promise<Date | undefined> => {
  const { rows } = await tx.query<{ workspaceId: string; revokedAt: Date; isNew: boolean }>(
    `WITH revoked AS (
       UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id, revoked_at
     )
     SELECT k.workspace_id AS "workspaceId", coalesce(r.revoked_at, k.revoked_at) AS "revokedAt", r.id IS NOT NULL AS "isNew"
     FROM api_keys k LEFT JOIN revoked r ON r.id = k.id WHERE k.id = $1`,
    [keyId],
  );
  const [key] = rows;
  if (!key) return undefined;
  if (!key.isNew) isNoChange(tx);
  noteSubject({ workspaceId: key.workspaceId, resourceId: keyId });
  return key.revokedAt;
};
