/** Keys and secrets that have ended: how many are kept, and for how long. */
import { endedKeyDays, endedKeysMax } from '#schemas/api/keys.ts';
import { isActedFor } from '../../../jobs/store.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { defaultIds } from '../default-ids.ts';

/** SQL over api_keys. */
export const isLive = '(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))';

/** Earlier secrets that have ended: the refusal of a call with one says when. */
const endedSecretsMax = 10;

/** Ends all secrets of a key beyond its latest, and removes what ended long ago. The default workspace keeps its bootstrap key. */
export const endSecrets = async (tx: Transaction, keyId: string, workingMax: number): Promise<void> => {
  await tx.query(
    `UPDATE api_key_graces SET works_until = now() WHERE works_until > now() AND key_hash IN (
       SELECT key_hash FROM api_key_graces WHERE key_id = $1 AND works_until > now()
       ORDER BY rotated_at DESC, key_hash OFFSET $2)`,
    [keyId, workingMax],
  );
  await tx.query(
    `DELETE FROM api_key_graces g USING api_keys k
     WHERE g.key_id = $1 AND k.id = $1 AND k.workspace_id <> $3 AND g.key_hash IN (
       SELECT key_hash FROM api_key_graces WHERE key_id = $1 AND works_until <= now()
       ORDER BY works_until DESC, key_hash OFFSET $2)`,
    [keyId, endedSecretsMax, defaultIds.workspaceId],
  );
};

/** Jobs that began with a key act for it until they end, and are held to its domains: it stays until then. */
const isIdle = `NOT ${isActedFor('api_keys.id', 'api_keys.workspace_id')}`;

/**
 * Deletes the ended keys of a workspace beyond the latest. Keys that the operator made stay: the default workspace has
 * BOOTSTRAP_API_KEY among them.
 */
export const forgetEnded = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query(
    `DELETE FROM api_keys WHERE ${isIdle} AND id IN (
       SELECT id FROM api_keys WHERE workspace_id = $1 AND NOT ${isLive} AND created_by IS NOT NULL
       ORDER BY seq DESC OFFSET $2)`,
    [workspaceId, endedKeysMax],
  );
};

/**
 * Deletes keys and secrets that ended long ago. Those of the default workspace stay: otherwise the next start would take
 * a revoked BOOTSTRAP_API_KEY for a new one.
 * @param defaultWorkspaceId the workspace of BOOTSTRAP_API_KEY
 */
export const deleteEndedKeys = (pool: Pool, defaultWorkspaceId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await tx.query(
      `DELETE FROM api_keys
       WHERE least(revoked_at, expires_at) < now() - make_interval(days => $1) AND workspace_id <> $2 AND ${isIdle}`,
      [endedKeyDays, defaultWorkspaceId],
    );
    await tx.query(
      `DELETE FROM api_key_graces g USING api_keys k
       WHERE k.id = g.key_id AND g.works_until < now() - make_interval(days => $1) AND k.workspace_id <> $2`,
      [endedKeyDays, defaultWorkspaceId],
    );
  });
