/** Removes files that belong to no image. */
import { imageOfKey, imagesRoot } from '../addresses.ts';
import { listKnown } from '../store/unused-images.ts';
import { type RemovalOptions, removeFiles } from './remove-files.ts';

/** Only older files are looked at, in ms. */
const leftoverMs = 86_400_000;
/** Images that are asked for at once. */
const askedAtOnce = 500;

const listOld = async ({ storage, nowMs = Date.now }: RemovalOptions): Promise<string[]> => {
  const ids = new Set<string>();
  for await (const { key, storedAt } of storage.list(imagesRoot))
    if (storedAt.getTime() < nowMs() - leftoverMs) ids.add(imageOfKey(key));
  return [...ids];
};

/**
 * What uploads have left that went on after their image was given up. May come again at any time.
 * @throws {StorageFailure}, and where the database is away
 */
export const removeLeftovers = async (options: RemovalOptions): Promise<void> => {
  const { pool, storage, logger } = options;
  const old = await listOld(options);
  for (let at = 0; at < old.length; at += askedAtOnce) {
    const asked = old.slice(at, at + askedAtOnce);
    const known = new Set(await listKnown(pool, asked));
    for (const id of asked.filter((one) => !known.has(one))) {
      logger.info({ imageId: id }, 'files of an image were left over, and are removed');
      await removeFiles(storage, id);
    }
  }
};
