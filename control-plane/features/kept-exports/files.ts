/** Kept exports in the storage: their keys, and their removal. */
import { randomUUID } from 'node:crypto';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { type Storage, StorageFailure } from '../../platform/storage/storage.ts';
import { markRemoved } from './store.ts';

/** In front of all keys. */
export const root = 'kept-exports/';

const prefixOf = (jobId: string): string => `${root}${jobId}/`;

/** Of a new part: one that a killed process has stored is never taken for another. */
export const newPartKey = (jobId: string): string => `${prefixOf(jobId)}${randomUUID()}`;

export interface FileOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
}

/** If the storage is away, the nightly task removes them. */
export const removeFile = async ({ pool, storage, logger }: FileOptions, jobId: string): Promise<void> => {
  try {
    for await (const { key } of storage.list(prefixOf(jobId))) await storage.remove(key);
    await markRemoved(pool, jobId);
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    logger.warn({ err: error, jobId }, 'the file of an export could not be removed');
  }
};
