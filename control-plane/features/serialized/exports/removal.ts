/** The removal of an export's files. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { type Storage, StorageFailure } from '../../../platform/storage/storage.ts';
import { removeAll } from '../../bulk/generate/kind.ts';
import { exportPrefix } from './keys.ts';
import { markRemoved } from './store/exports.ts';

export interface RemovalOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
}

/** Where the storage is away, the nightly job removes them. */
export const removeFiles = async (
  { pool, storage, logger }: RemovalOptions,
  jobId: string,
): Promise<void> => {
  try {
    await removeAll(storage, exportPrefix(jobId));
    await markRemoved(pool, jobId);
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    logger.warn({ err: error, jobId }, 'the files of an export could not be removed');
  }
};
