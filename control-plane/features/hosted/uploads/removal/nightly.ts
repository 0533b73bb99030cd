/**
 * The nightly job that removes images that no page has referred to for a while. It can be interrupted after any step,
 * and is resumed the next night:
 *
 *   stored    nothing has referred to it for 7 days          → unused
 *   unused    a page refers to it meanwhile                  → stored
 *   unused    for an hour, and still nothing refers to it    → removing
 *   storing   its upload began an hour ago                   → removing
 *   removing  its files are removed, then its row
 */
import type { Task } from '../../../../jobs/tasks.ts';
import { imageOfKey, imagesRoot } from '../addresses.ts';
import {
  beginRemoval,
  forgetImage,
  listKnown,
  listPagesOf,
  listWorkspacesToCheck,
  markUnused,
  noteReferences,
  takeBackUsed,
} from '../store/unused-images.ts';
import { type RemovalOptions, removeFiles } from './remove-files.ts';

/** Only files older than this are checked, in ms. */
const leftoverMs = 86_400_000;
/** Images per query. */
const askedAtOnce = 500;

const listOld = async ({ storage, nowMs = Date.now }: RemovalOptions): Promise<string[]> => {
  const ids = new Set<string>();
  for await (const { key, storedAt } of storage.list(imagesRoot))
    if (storedAt.getTime() < nowMs() - leftoverMs) ids.add(imageOfKey(key));
  return [...ids];
};

/**
 * Removes the files of uploads that continued after their image was given up. More can turn up at any time.
 * @throws {StorageFailure}, and if the database is away
 */
const removeLeftovers = async (options: RemovalOptions): Promise<void> => {
  const { pool, storage, logger } = options;
  const old = await listOld(options);
  for (let at = 0; at < old.length; at += askedAtOnce) {
    const asked = old.slice(at, at + askedAtOnce);
    const known = new Set(await listKnown(pool, asked));
    for (const id of asked.filter((one) => !known.has(one))) {
      logger.info({ imageId: id }, 'removing left-over files of an image');
      await removeFiles(storage, id);
    }
  }
};

const schedule = '50 3 * * *';

const sweepWorkspace = async ({ pool, storage }: RemovalOptions, workspaceId: string): Promise<void> => {
  for (const pageId of await listPagesOf(pool, workspaceId)) await noteReferences(pool, pageId);
  await takeBackUsed(pool, workspaceId);
  await markUnused(pool, workspaceId);
  for (const id of await beginRemoval(pool, workspaceId)) {
    await removeFiles(storage, id);
    await forgetImage(pool, id);
  }
};

/** A workspace whose images cannot be removed does not hold up others; it is retried the next night. */
export const sweepImages = async (options: RemovalOptions): Promise<void> => {
  const { pool, logger } = options;
  for (const workspaceId of await listWorkspacesToCheck(pool)) {
    try {
      await sweepWorkspace(options, workspaceId);
    } catch (error) {
      logger.warn({ err: error, workspaceId }, 'could not remove unused images');
    }
  }
  await removeLeftovers(options);
};

export const nightlyJob = (options: RemovalOptions): Task => ({
  task: 'sweep-images',
  schedule,
  run: () => sweepImages(options),
});
