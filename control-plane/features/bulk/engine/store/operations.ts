/** Bulk operations in PostgreSQL. */
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { findOwned, type OwnedTable } from '../../../../db/owned.ts';
import type { Pool, Queryable } from '../../../../db/pool.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { BulkOperation, KindName } from '../kind.ts';
import { lockedWorkspaces } from '../queue.ts';

export const bulkIds = prefixedIds('blk');

export type BulkStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** The quota that each row uses. */
export interface RowQuota {
  name: string;
  /** First day of the period, `YYYY-MM-DD`. */
  periodStart: string;
}

export interface NewOperation {
  id: string;
  workspaceId: string;
  subscriptionId: string;
  kind: KindName;
  total: number;
  options: object;
  quota: RowQuota | undefined;
}

/** With its progress. */
export interface StoredOperation extends BulkOperation {
  /** Order of submission. */
  seq: number;
  status: BulkStatus;
  succeeded: number;
  failed: number;
  quota: string | null;
  periodStart: string | null;
  /** How often the last step was begun. */
  completions: number;
  /** How often it has failed by itself. */
  completionFailures: number;
  /** Since when nothing of it could be done. Null where something was, and while it waits behind others. */
  heldUpSince: Date | null;
  updatedAt: Date;
  completedAt: Date | null;
  removedAt: Date | null;
  removedBecause: 'fetched' | 'expired' | null;
}

export const operationColumns = `id, workspace_id AS "workspaceId", subscription_id AS "subscriptionId", seq::double precision AS seq, kind, status, total,
  succeeded, failed, options, quota, to_char(period_start, 'YYYY-MM-DD') AS "periodStart", completions, completion_failures AS "completionFailures",
  held_up_since AS "heldUpSince", created_at AS "createdAt", updated_at AS "updatedAt", completed_at AS "completedAt", removed_at AS "removedAt",
  removed_because AS "removedBecause"`;

const ownedOperations: OwnedTable = {
  table: 'bulk_operations',
  noun: 'bulk operation',
  isIdShaped: (id) => /^blk_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export const insertOperation = async (tx: Transaction, operation: NewOperation): Promise<StoredOperation> => {
  const { id, workspaceId, subscriptionId, kind, total, options, quota } = operation;
  const { rows } = await tx.query<StoredOperation>({
    name: 'insert-bulk-operation',
    text: `INSERT INTO bulk_operations (id, workspace_id, subscription_id, kind, total, options, quota, period_start)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${operationColumns}`,
    values: [
      id,
      workspaceId,
      subscriptionId,
      kind,
      total,
      JSON.stringify(options),
      quota?.name ?? null,
      quota?.periodStart ?? null,
    ],
  });
  return rows[0]!;
};

/** The paths below which operations are read. */
export const pathOfKind: Readonly<Record<KindName, string>> = {
  create: '/api/qr/codes/bulk',
  replace: '/api/qr/codes/bulk',
  generate: '/api/qr/bulk-generate',
};

const readElsewhere = ({ id, kind }: StoredOperation): ClientError =>
  new ClientError(
    'NOT_FOUND',
    `${id} is a bulk operation of the kind ${kind}: it is read at ${pathOfKind[kind]}/${id}`,
  );

/**
 * @param kinds those that are asked for
 * @throws {ClientError} NOT_FOUND, which says where it is read where it is of another kind; FORBIDDEN where it is another workspace's
 */
export const findOperation = async (
  pool: Pool,
  workspaceId: string,
  id: string,
  kinds: readonly KindName[],
): Promise<StoredOperation> => {
  const found = await findOwned<StoredOperation>(pool, ownedOperations, workspaceId, id, {
    name: 'find-bulk-operation',
    text: `SELECT ${operationColumns} FROM bulk_operations WHERE id = $1 AND workspace_id = $2`,
  });
  if (!kinds.includes(found.kind)) throw readElsewhere(found);
  return found;
};

/** More wait their turn. */
const unfinishedMax = 100;

/** One of which nothing could be done lets the others go first for so long. */
const asideSeconds = 10;

/** The operations of a workspace that are not finished: the oldest first, but those last that were held up just now. */
export const listUnfinished = async (db: Queryable, workspaceId: string): Promise<StoredOperation[]> => {
  const { rows } = await db.query<StoredOperation>({
    name: 'list-unfinished-bulk-operations',
    text: `SELECT ${operationColumns} FROM bulk_operations
           WHERE workspace_id = $1 AND status IN ('pending', 'processing')
           ORDER BY held_up_since IS NOT NULL AND updated_at > now() - interval '${asideSeconds} seconds', seq LIMIT ${unfinishedMax}`,
    values: [workspaceId],
  });
  return rows;
};

/** Its rows are being worked off. */
export const markProcessing = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'mark-bulk-operation-processing',
    text: `UPDATE bulk_operations SET status = 'processing', updated_at = now()
           WHERE id = $1 AND status IN ('pending', 'processing')`,
    values: [id],
  });
};

/** Counts rows that are done. With the last one the operation is completed, unless there is a last step. */
export const countDone = async (
  tx: Transaction,
  id: string,
  { succeeded, failed }: { succeeded: number; failed: number },
  hasLastStep: boolean,
): Promise<void> => {
  await tx.query({
    name: 'count-done-bulk-rows',
    text: `UPDATE bulk_operations SET succeeded = succeeded + $2, failed = failed + $3, updated_at = now(), held_up_since = NULL,
             status = CASE WHEN succeeded + failed + $2 + $3 = total AND NOT $4 THEN 'completed' ELSE 'processing' END,
             completed_at = CASE WHEN succeeded + failed + $2 + $3 = total AND NOT $4 THEN now() END
           WHERE id = $1`,
    values: [id, succeeded, failed, hasLastStep],
  });
};

/** Nothing of it could be done now. */
export const markHeldUp = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'mark-bulk-operation-held-up',
    text: `UPDATE bulk_operations SET held_up_since = coalesce(held_up_since, now()), updated_at = now() WHERE id = $1`,
    values: [id],
  });
};

/** The last step begins. @returns false where somebody else is at it */
export const countCompletion = async (db: Queryable, id: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'count-bulk-completion',
    text: `UPDATE bulk_operations SET completions = completions + 1, updated_at = now() WHERE id = (
             SELECT id FROM bulk_operations WHERE id = $1 AND status = 'processing' FOR UPDATE SKIP LOCKED)`,
    values: [id],
  });
  return rowCount === 1;
};

/** The last step has failed by itself, and not with its process. */
export const countCompletionFailure = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'count-bulk-completion-failure',
    text: 'UPDATE bulk_operations SET completion_failures = completion_failures + 1 WHERE id = $1',
    values: [id],
  });
};

/** The last step could not be tried. */
export const forgiveCompletion = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'forgive-bulk-completion',
    text: 'UPDATE bulk_operations SET completions = completions - 1 WHERE id = $1 AND completions > 0',
    values: [id],
  });
};

/** @returns false where it is finished, or somebody else has it */
export const lockUnfinished = async (tx: Transaction, id: string): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'lock-unfinished-bulk-operation',
    text: `SELECT FROM bulk_operations WHERE id = $1 AND status = 'processing' FOR UPDATE SKIP LOCKED`,
    values: [id],
  });
  return rowCount === 1;
};

export const finish = async (tx: Transaction, id: string, status: 'completed' | 'failed'): Promise<void> => {
  await tx.query({
    name: 'finish-bulk-operation',
    text: `UPDATE bulk_operations SET status = $2, updated_at = now(), completed_at = now() WHERE id = $1`,
    values: [id, status],
  });
};

/** Figures of what waits, for metrics. */
export interface Backlog {
  operations: number;
  rows: number;
  /** Since the oldest one was submitted. */
  oldestSeconds: number;
}

export const readBacklog = async (db: Queryable): Promise<Backlog> => {
  const { rows } = await db.query<Backlog>({
    name: 'read-bulk-backlog',
    text: `SELECT count(*)::integer AS operations, coalesce(sum(total - succeeded - failed), 0)::integer AS rows,
             coalesce(extract(epoch FROM now() - min(created_at)), 0)::double precision AS "oldestSeconds"
           FROM bulk_operations WHERE status IN ('pending', 'processing')`,
  });
  return rows[0]!;
};

/** Workspaces with an operation that has made no progress for some time, and none that is being worked on. */
export const listStalled = async (db: Queryable, idleSeconds: number): Promise<string[]> => {
  const { rows } = await db.query<{ workspaceId: string }>({
    name: 'list-stalled-bulk-workspaces',
    text: `SELECT DISTINCT workspace_id AS "workspaceId" FROM bulk_operations
           WHERE status IN ('pending', 'processing') AND updated_at <= now() - make_interval(secs => $1)
             AND hashtext(workspace_id)::oid NOT IN (${lockedWorkspaces})`,
    values: [idleSeconds],
  });
  return rows.map(({ workspaceId }) => workspaceId);
};
