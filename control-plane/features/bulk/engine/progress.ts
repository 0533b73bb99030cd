/** An operation as the API shows it. */
import type { BulkProgress } from '#schemas/api/bulk.ts';
import { shownEnd } from '../../../jobs/store.ts';
import type { StoredOperation } from './store/operations.ts';

export const progressOf = (operation: StoredOperation): BulkProgress => {
  const { id, kind, total, succeeded, failed, createdAt, updatedAt } = operation;
  const { status, error } = shownEnd(operation);
  return {
    bulkId: id,
    kind,
    status,
    total,
    processed: succeeded + failed,
    succeeded,
    failed,
    ...(error !== undefined && { error }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
};
