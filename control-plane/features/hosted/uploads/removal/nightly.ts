/**
 * The nightly job: it removes images that no page has referred to for a while. Each step can be the last one, and is begun again on the
 * next night:
 *
 *   stored    nothing has referred to it for 7 days          → unused
 *   unused    a page refers to it meanwhile                  → stored
 *   unused    for an hour, and still nothing refers to it    → removing
 *   storing   its upload has begun an hour ago               → removing
 *   removing  its files are removed, then its row
 */
import type { Job } from '../../../../jobs/registry.ts';
import {
  beginRemoval,
  forgetImage,
  listPagesOf,
  listWorkspacesToLookAt,
  markUnused,
  noteReferences,
  takeBackUsed,
} from '../store/unused-images.ts';
import { removeLeftovers } from './leftovers.ts';
import { type RemovalOptions, removeFiles } from './remove-files.ts';

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

/** A workspace whose images cannot be removed holds up no other: it comes again on the next night. */
export const sweepImages = async (options: RemovalOptions): Promise<void> => {
  const { pool, logger } = options;
  for (const workspaceId of await listWorkspacesToLookAt(pool)) {
    try {
      await sweepWorkspace(options, workspaceId);
    } catch (error) {
      logger.warn({ err: error, workspaceId }, 'images that are not used could not be removed');
    }
  }
  await removeLeftovers(options);
};

export const nightlyJob = (options: RemovalOptions): Job => ({
  task: 'sweep-images',
  schedule,
  run: () => sweepImages(options),
});
