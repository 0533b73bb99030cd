/** Bulk operations in PostgreSQL. */
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Job } from '../../../../jobs/kind.ts';
import { createJob, jobColumns } from '../../../../jobs/store.ts';
import { findOwned, type OwnedTable } from '../../../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../../../platform/db/pool.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';
import type { BulkOperation, KindName } from '../kind.ts';

export const bulkIds = prefixedIds('blk');

/** The operations of a workspace are done one after the other, whatever their kind. */
export const bulkLane = 'bulk';

/** The name of a kind among those of all jobs. */
export const jobNameOf = (kind: KindName): `bulk_${KindName}` => `bulk_${kind}`;

const kindOf = (jobName: string): KindName => jobName.slice('bulk_'.length) as KindName;

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
export interface StoredOperation extends BulkOperation, Omit<Job, 'kind' | 'total'> {
  succeeded: number;
  failed: number;
  quota: string | null;
  periodStart: string | null;
  removedAt: Date | null;
  removedBecause: 'fetched' | 'expired' | null;
}

export const operationColumns = `${jobColumns}, subscription_id AS "subscriptionId", succeeded, failed, options, quota,
  to_char(period_start, 'YYYY-MM-DD') AS "periodStart", removed_at AS "removedAt", removed_because AS "removedBecause"`;

/** SQL: what an operation has of its job, and what it has of its own. */
export const operations = 'jobs JOIN bulk_operations USING (id, workspace_id)';

/** As PostgreSQL has it: with the name of its job. */
export type OperationRow = Omit<StoredOperation, 'kind'> & { kind: string };

export const toOperation = (row: OperationRow): StoredOperation => ({ ...row, kind: kindOf(row.kind) });

const ownedOperations: OwnedTable = {
  table: 'jobs',
  noun: 'bulk operation',
  isIdShaped: (id) => /^blk_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

/** Its work begins once the transaction is committed. */
export const insertOperation = async (tx: Transaction, operation: NewOperation): Promise<StoredOperation> => {
  const { id, workspaceId, subscriptionId, kind, total, options, quota } = operation;
  await createJob(tx, { id, workspaceId, kind: jobNameOf(kind), lane: bulkLane, total });
  await tx.query({
    name: 'insert-bulk-operation',
    text: `INSERT INTO bulk_operations (id, workspace_id, subscription_id, options, quota, period_start)
           VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [
      id,
      workspaceId,
      subscriptionId,
      JSON.stringify(options),
      quota?.name ?? null,
      quota?.periodStart ?? null,
    ],
  });
  return findOperationOfJob(tx, id);
};

/** The operation of a job. */
export const findOperationOfJob = async (db: Queryable, jobId: string): Promise<StoredOperation> => {
  const { rows } = await db.query<OperationRow>({
    name: 'find-bulk-operation-of-job',
    text: `SELECT ${operationColumns} FROM ${operations} WHERE id = $1`,
    values: [jobId],
  });
  return toOperation(rows[0]!);
};

/** The paths below which operations are read. */
export const pathOfKind: Readonly<Record<KindName, string>> = {
  create: '/api/qr/codes/bulk',
  replace: '/api/qr/codes/bulk',
  generate: '/api/qr/bulk-generate',
  validate: '/api/qr/codes/bulk',
  change: '/api/qr/codes/bulk',
};

const readElsewhere = ({ id, kind }: StoredOperation): ClientError =>
  new ClientError(
    'NOT_FOUND',
    `${id} is a bulk operation of the kind ${kind}: it is read at ${pathOfKind[kind]}/${id}`,
  );

/**
 * @param kinds that the caller serves
 * @throws {ClientError} NOT_FOUND, which says where it is read where it is of another kind; FORBIDDEN where it is another workspace's
 */
export const findOperation = async (
  pool: Pool,
  workspaceId: string,
  id: string,
  kinds: readonly KindName[],
): Promise<StoredOperation> => {
  const found = toOperation(
    await findOwned<OperationRow>(pool, ownedOperations, workspaceId, id, {
      name: 'find-bulk-operation',
      text: `SELECT ${operationColumns} FROM ${operations} WHERE id = $1 AND workspace_id = $2`,
    }),
  );
  if (!kinds.includes(found.kind)) throw readElsewhere(found);
  return found;
};

/** Counts rows that are done. */
export const countDone = async (
  tx: Transaction,
  id: string,
  { succeeded, failed }: { succeeded: number; failed: number },
): Promise<void> => {
  await tx.query({
    name: 'count-done-bulk-rows',
    text: 'UPDATE bulk_operations SET succeeded = succeeded + $2, failed = failed + $3 WHERE id = $1',
    values: [id, succeeded, failed],
  });
};
