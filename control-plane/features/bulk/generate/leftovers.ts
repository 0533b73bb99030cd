/** Removes files that belong to no operation any more. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Storage } from '../../../storage/storage.ts';
import { operationOf, operationPrefix, root } from './keys.ts';
import { removeAll } from './kind.ts';
import { listWithFiles } from './store.ts';

/** Only older files are looked at, in ms: an operation may be on its way to the database. */
const leftoverMs = 86_400_000;
/** Operations that are asked for at once. */
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
 * What processes have left that were killed while they removed something, or that went on after their work was taken for lost.
 * May come again at any time.
 * @throws {StorageFailure}, and where the database is away
 */
export const removeLeftovers = async (options: LeftoversOptions): Promise<void> => {
  const { pool, storage, logger, nowMs = Date.now } = options;
  const old = await listOld(storage, nowMs() - leftoverMs);
  for (let at = 0; at < old.length; at += askedAtOnce) {
    const asked = old.slice(at, at + askedAtOnce);
    const needed = new Set(await listWithFiles(pool, asked));
    for (const id of asked.filter((one) => !needed.has(one))) {
      logger.info({ bulkId: id }, 'files of a bulk operation were left over, and are removed');
      await removeAll(storage, operationPrefix(id));
    }
  }
};
