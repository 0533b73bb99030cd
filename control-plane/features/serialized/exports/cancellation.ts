/** The end of an export that its owner does not want any more: the work stops, and nothing of it is left in the storage. */

import { ClientError } from '#shared/errors.ts';
import { cancelJob, endResult } from '../../../jobs/store.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { findJob, type StoredJob } from '../store/jobs.ts';
import { type RemovalOptions, removeFiles } from './removal.ts';

/**
 * @returns the job as it is then: failed where it was not finished, without a result where it was
 * @throws {ClientError} NOT_FOUND, FORBIDDEN; CONFLICT for a mint
 */
export const createCancellation =
  (options: RemovalOptions) =>
  async (workspaceId: string, jobId: string): Promise<StoredJob> => {
    const { pool } = options;
    const { kind } = await findJob(pool, workspaceId, jobId);
    if (kind === 'mint')
      throw new ClientError('CONFLICT', `${jobId} is a mint, which cannot be cancelled; exports can`);
    // A slice that is under way finds the job ended, and removes what it has stored.
    await inTransaction(pool, async (tx) => {
      if (!(await cancelJob(tx, jobId))) await endResult(tx, jobId);
    });
    await removeFiles(options, jobId);
    return findJob(pool, workspaceId, jobId);
  };
