/** Removes files that no operation needs. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { operationOf, operationPrefix, root } from './keys.ts';
import { removeAll } from './kind.ts';
import { listWithFiles } from './store.ts';

/** Only files older than this (ms) are checked: a younger one's operation may not be in the database yet. */
const leftoverMs = 86_400_000;
/** Operations per query. */
const askedAtOnce = 500;

export interface LeftoversOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
  nowMs?: () => number;
}

/** The operations that have old files. */
const listOld = async (storage: Storage, beforeMs: number): Promise<string[]> => {
  const ids = new Set<string>();
  for await (const { key, storedAt } of storage.list(root))
    if (storedAt.getTime() < beforeMs) ids.add(operationOf(key));
  return [...ids];
};

/**
 * Removes files left by processes that were killed while removing them, or that continued after
 * their work was taken for lost.
 * May be called again at any time.
 * @throws {StorageFailure}, or if the database is away
 */
export const removeLeftovers = async (options: LeftoversOptions): Promise<void> => {
  const { pool, storage, logger, nowMs = Date.now } = options;
  const old = await listOld(storage, nowMs() - leftoverMs);
  for (let at = 0; at < old.length; at += askedAtOnce) {
    const asked = old.slice(at, at + askedAtOnce);
    const needed = new Set(await listWithFiles(pool, asked));
    for (const id of asked.filter((one) => !needed.has(one))) {
      logger.info({ bulkId: id }, 'removing leftover files of a bulk operation');
      await removeAll(storage, operationPrefix(id));
    }
  }
};
