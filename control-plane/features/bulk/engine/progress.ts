/** An operation as the API shows it. */
import type { BulkProgress } from '#schemas/api/bulk.ts';
import type { StoredOperation } from './store/operations.ts';

export const progressOf = (operation: StoredOperation): BulkProgress => {
  const { id, kind, status, total, succeeded, failed, error, createdAt, updatedAt } = operation;
  return {
    bulkId: id,
    kind,
    status,
    total,
    processed: succeeded + failed,
    succeeded,
    failed,
    ...(error !== null && { error }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
};
