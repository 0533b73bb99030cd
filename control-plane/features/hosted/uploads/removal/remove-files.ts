/** Removes the files of an image. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { imagePrefix } from '../addresses.ts';

/** The dependencies of the removal. */
export interface RemovalOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
  nowMs?: () => number;
}

/** @throws {StorageFailure} */
export const removeFiles = async (storage: Storage, id: string): Promise<void> => {
  const keys: string[] = [];
  for await (const { key } of storage.list(imagePrefix(id))) keys.push(key);
  for (const key of keys) await storage.remove(key);
};
