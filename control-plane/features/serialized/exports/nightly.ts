/** The nightly job: it removes the files of exports whose time is over, and files that belong to no export any more. */

import { removeAll } from '../../bulk/generate/kind.ts';
import { exportOf, exportPrefix, root } from './keys.ts';
import { type RemovalOptions, removeFiles } from './removal.ts';
import { listRemovable, listWithFiles } from './store/exports.ts';

export interface NightlyOptions extends RemovalOptions {
  nowMs?: () => number;
}

/** Only older files are looked at, in ms: an export may be on its way to the database. */
const leftoverMs = 86_400_000;
/** Exports that are asked for at once. */
const askedAtOnce = 500;

/** The exports that have old files. */
const listOld = async ({ storage, nowMs = Date.now }: NightlyOptions): Promise<string[]> => {
  const ids = new Set<string>();
  for await (const { key, storedAt } of storage.list(root))
    if (storedAt.getTime() < nowMs() - leftoverMs) ids.add(exportOf(key));
  return [...ids];
};

/** What processes have left that were killed while they removed something, or while a cancelled export was drawn. */
const removeLeftovers = async (options: NightlyOptions): Promise<void> => {
  const { pool, storage, logger } = options;
  const old = await listOld(options);
  for (let at = 0; at < old.length; at += askedAtOnce) {
    const asked = old.slice(at, at + askedAtOnce);
    const needed = new Set(await listWithFiles(pool, asked));
    for (const jobId of asked.filter((id) => !needed.has(id))) {
      logger.info({ jobId }, 'files of an export were left over, and are removed');
      await removeAll(storage, exportPrefix(jobId));
    }
  }
};

/** May come again at any time. @throws {StorageFailure}, and where the database is away */
export const sweepExports = async (options: NightlyOptions): Promise<void> => {
  for (const jobId of await listRemovable(options.pool)) await removeFiles(options, jobId);
  await removeLeftovers(options);
};
