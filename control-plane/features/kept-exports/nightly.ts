/** The nightly task: it removes files whose time is over, and files of which PostgreSQL knows nothing. */
import { type FileOptions, removeFile, root } from './files.ts';
import { forgetExports, listNeeded, listRemovable } from './store.ts';

/** Only older files are looked at: a part may be on its way to the database. */
const leftoverMs = 86_400_000;
/** Keys in one statement. */
const askedAtOnce = 500;
/** So long can be read how an export went. */
const rememberedDays = 30;

export interface NightlyOptions extends FileOptions {
  nowMs?: () => number;
}

const removeUnknown = async (
  { pool, storage, logger }: FileOptions,
  keys: readonly string[],
): Promise<void> => {
  const needed = new Set(await listNeeded(pool, keys));
  for (const key of keys.filter((each) => !needed.has(each))) {
    logger.info({ key }, 'a part of an export was left over, and is removed');
    await storage.remove(key);
  }
};

/** What killed processes have stored and not committed, and what a restored database does not know. */
const removeLeftovers = async (options: NightlyOptions): Promise<void> => {
  const { storage, nowMs = Date.now } = options;
  const beforeMs = nowMs() - leftoverMs;
  let old: string[] = [];
  for await (const { key, storedAt } of storage.list(root)) {
    if (storedAt.getTime() >= beforeMs) continue;
    old.push(key);
    if (old.length < askedAtOnce) continue;
    await removeUnknown(options, old);
    old = [];
  }
  await removeUnknown(options, old);
};

/** May come again at any time. @throws {StorageFailure}, and if the database is away */
export const sweepKeptExports = async (options: NightlyOptions): Promise<void> => {
  for (const jobId of await listRemovable(options.pool)) await removeFile(options, jobId);
  await removeLeftovers(options);
  await forgetExports(options.pool, rememberedDays);
};
