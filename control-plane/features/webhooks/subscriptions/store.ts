/** Webhooks in PostgreSQL. */

import {
  allEvents,
  type CreateWebhookBody,
  type StoredFilter,
  type UpdateWebhookBody,
  webhooksMax,
} from '#schemas/api/webhooks.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { quoted } from '#shared/quoted.ts';
import { countCapReached } from '../../../api/access/plans.ts';
import { noteSubject } from '../../../platform/db/actions.ts';
import { findOwned, type OwnedTable } from '../../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { checkedFilter } from './filters.ts';

export const webhookIds = prefixedIds('wh');

export const ownedWebhooks: OwnedTable = {
  table: 'webhooks',
  noun: 'webhook',
  isIdShaped: (id) => /^wh_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export interface StoredWebhook {
  id: string;
  workspaceId: string;
  url: string;
  description: string | null;
  events: string[];
  filter: StoredFilter | null;
  batch: { maxEvents: number; maxSeconds: number } | null;
  status: 'active' | 'paused';
  pausedReason: 'owner' | 'failing' | null;
  pausedAt: Date | null;
  failingSince: Date | null;
  overflowingSince: Date | null;
  /** Null if the previous secret no longer signs. */
  previousSecretExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `id, workspace_id AS "workspaceId", url, description, events, filter, batch, status, paused_reason AS "pausedReason",
  paused_at AS "pausedAt", failing_since AS "failingSince", overflowing_since AS "overflowingSince",
  CASE WHEN previous_secret_expires_at > now() THEN previous_secret_expires_at END AS "previousSecretExpiresAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const jsonOf = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);

/** Serialises concurrent creations in a workspace, as their number is bounded. */
const lockWorkspace = (tx: Transaction, workspaceId: string) =>
  tx.query({
    name: 'lock-workspace-of-webhooks',
    text: 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
    values: [workspaceId],
  });

/** @throws {ClientError} UNPROCESSABLE if scans are to be batched but are not followed */
const checkBatch = ({
  events,
  batch,
}: {
  events: readonly string[];
  batch?: StoredWebhook['batch'] | undefined;
}): void => {
  if (batch && !events.includes('scan.created') && !events.includes(allEvents))
    throw new ClientError(
      'UNPROCESSABLE',
      `batch needs scan.created or ${allEvents} in events: it is of scans alone; given: ${quoted(events.join(', '))}`,
    );
};

export interface NewWebhook extends CreateWebhookBody {
  /** `wh_…` */
  id: string;
  workspaceId: string;
  /** Sealed. */
  secret: Buffer;
}

const insertWebhook = async (
  tx: Transaction,
  webhook: Omit<NewWebhook, 'filter'> & { filter: StoredFilter | null },
): Promise<StoredWebhook | undefined> => {
  const { rows } = await tx.query<StoredWebhook>({
    name: 'insert-webhook',
    text: `INSERT INTO webhooks (id, workspace_id, url, description, events, batch, secret, status, paused_reason, paused_at, filter)
           SELECT $1, $2, $3, $4, $5, $6::jsonb, $7, $8, CASE WHEN $8 = 'paused' THEN 'owner' END,
             CASE WHEN $8 = 'paused' THEN clock_timestamp() END, $10::jsonb
           WHERE (SELECT count(*) FROM webhooks WHERE workspace_id = $2) < $9
           RETURNING ${columns}`,
    values: [
      webhook.id,
      webhook.workspaceId,
      webhook.url,
      webhook.description ?? null,
      webhook.events,
      jsonOf(webhook.batch),
      webhook.secret,
      webhook.status ?? 'active',
      webhooksMax,
      jsonOf(webhook.filter),
    ],
  });
  return rows[0];
};

/**
 * @throws {ClientError} CONFLICT if the workspace has reached its maximum of webhooks; UNPROCESSABLE for a batch
 * without scans, or a filter with an unknown code
 */
export const createWebhook = async (tx: Transaction, webhook: NewWebhook): Promise<StoredWebhook> => {
  checkBatch(webhook);
  const filter = await checkedFilter(tx, webhook.workspaceId, webhook.filter);
  noteSubject({ resourceId: webhook.id });
  await lockWorkspace(tx, webhook.workspaceId);
  const made = await insertWebhook(tx, { ...webhook, filter });
  if (made) return made;
  throw countCapReached(
    'webhooks',
    webhooksMax,
    `A workspace has at most ${webhooksMax} webhooks; delete one first`,
  );
};

/** Newest first. */
export const listWebhooks = async (db: Queryable, workspaceId: string): Promise<StoredWebhook[]> => {
  const { rows } = await db.query<StoredWebhook>({
    name: 'list-webhooks',
    text: `SELECT ${columns} FROM webhooks WHERE workspace_id = $1 ORDER BY seq DESC`,
    values: [workspaceId],
  });
  return rows;
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the webhook is another workspace's */
export const findWebhook = (db: Queryable, workspaceId: string, id: string): Promise<StoredWebhook> =>
  findOwned(db, ownedWebhooks, workspaceId, id, {
    name: 'find-webhook',
    text: `SELECT ${columns} FROM webhooks WHERE id = $1 AND workspace_id = $2`,
  });

/**
 * Locks the webhook against changes and deletion until the transaction ends. New events do not wait for it.
 * @throws {ClientError} as {@link findWebhook}
 */
export const lockWebhook = (tx: Transaction, workspaceId: string, id: string): Promise<StoredWebhook> =>
  findOwned(tx, ownedWebhooks, workspaceId, id, {
    name: 'lock-webhook',
    text: `SELECT ${columns} FROM webhooks WHERE id = $1 AND workspace_id = $2 FOR UPDATE`,
  });

/**
 * Changes the given fields. Earlier failures are forgotten if it is resumed, or gets another URL.
 * @throws {ClientError} as {@link findWebhook}; UNPROCESSABLE for a batch without scans
 */
export const updateWebhook = async (
  tx: Transaction,
  workspaceId: string,
  id: string,
  change: UpdateWebhookBody,
): Promise<StoredWebhook> => {
  const before = await lockWebhook(tx, workspaceId, id);
  if (Object.keys(change).length === 0) return before;
  const { url, events, description, batch, status } = { ...before, ...change };
  if (change.events || change.batch) checkBatch({ events, batch });
  const filter =
    change.filter === undefined ? before.filter : await checkedFilter(tx, workspaceId, change.filter);
  const { rows } = await tx.query<StoredWebhook>({
    name: 'update-webhook',
    text: `UPDATE webhooks SET url = $3, events = $4, description = $5, batch = $6::jsonb, status = $7, filter = $9::jsonb,
             paused_reason = CASE WHEN NOT $8 THEN paused_reason WHEN $7 = 'paused' THEN 'owner' END,
             paused_at = CASE WHEN NOT $8 THEN paused_at WHEN $7 = 'paused' THEN clock_timestamp() END,
             failing_since = CASE WHEN $8 AND $7 = 'active' OR url <> $3 THEN NULL ELSE failing_since END,
             last_failed_at = CASE WHEN $8 AND $7 = 'active' OR url <> $3 THEN NULL ELSE last_failed_at END,
             answered_at = CASE WHEN url <> $3 THEN NULL ELSE answered_at END,
             updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
           WHERE id = $1 AND workspace_id = $2 RETURNING ${columns}`,
    values: [
      id,
      workspaceId,
      url,
      events,
      description,
      jsonOf(batch),
      status,
      status !== before.status,
      jsonOf(filter),
    ],
  });
  return rows[0]!;
};

/** The rows of its queue are left to a job; see delivery/upkeep.ts. @throws {ClientError} as {@link findWebhook} */
export const deleteWebhook = async (tx: Transaction, workspaceId: string, id: string): Promise<void> => {
  await lockWebhook(tx, workspaceId, id);
  await tx.query({
    name: 'delete-webhook',
    text: 'DELETE FROM webhooks WHERE id = $1 AND workspace_id = $2',
    values: [id, workspaceId],
  });
};

/** For this long, both secrets sign. */
export const rotationHours = 24;

/**
 * The current secret keeps signing together with the new one. An even older one stops at once.
 * @param secret sealed
 * @returns when the previous secret expires
 * @throws {ClientError} as {@link findWebhook}
 */
export const rotateSecret = (pool: Pool, workspaceId: string, id: string, secret: Buffer): Promise<Date> =>
  inTransaction(pool, async (tx) => {
    await lockWebhook(tx, workspaceId, id);
    const { rows } = await tx.query<{ expiresAt: Date }>({
      name: 'rotate-webhook-secret',
      text: `UPDATE webhooks SET secret = $3, previous_secret = secret,
               previous_secret_expires_at = clock_timestamp() + make_interval(hours => $4),
               updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
             WHERE id = $1 AND workspace_id = $2 RETURNING previous_secret_expires_at AS "expiresAt"`,
      values: [id, workspaceId, secret, rotationHours],
    });
    return rows[0]!.expiresAt;
  });
