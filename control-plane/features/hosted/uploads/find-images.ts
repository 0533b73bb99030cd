/** The images of a page, as its document needs them. */
import { createEntryCache } from '#shared/entry-cache.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { UploadedImage } from '../page-kind.ts';
import { within } from '../within.ts';
import { imageOfUrl, publicPath } from './addresses.ts';
import { findImages, type StoredImage } from './store/image-rows.ts';

/** The number of URLs looked up per page; further ones are shown as they are. */
const urlsMax = 5_000;
/** The number of images held in memory: an image never changes. */
const keptMax = 20_000;
/** The time that a page waits for its images; unknown ones are then shown as they are. */
const waitMs = 1_500;
/** After a failure, skip PostgreSQL for this long, so that views do not wait for a known outage. */
const pauseAfterFailureMs = 1_000;

/** The images of a page, as far as they are known. */
export interface FoundImages {
  /** By their URL. */
  images: ReadonlyMap<string, UploadedImage>;
  /** False if the database could not answer for some. */
  isComplete: boolean;
}

/** Never fails. @returns the URLs that are uploads of the workspace, with their sizes */
export type FindImages = (workspaceId: string, urls: readonly string[]) => Promise<FoundImages>;

export const lookupFailures = ['refused', 'late'] as const;

export interface FindImagesOptions {
  pool: Pool;
  /** Of this service; all of them serve the same images. */
  origins: readonly string[];
  /** Called for each failed lookup. @param error absent if the answer did not come in time */
  onFailed(why: (typeof lookupFailures)[number], error?: unknown): void;
  nowMs?: () => number;
}

const toImage = ({ id, width, height, widths, placeholder }: StoredImage): UploadedImage => ({
  width,
  height,
  widths,
  urlOf: (one, format) => publicPath({ id, width: one, format }),
  placeholder,
});

export const createFindImages = ({
  pool,
  origins,
  onFailed,
  nowMs = () => performance.now(),
}: FindImagesOptions): FindImages => {
  const kept = createEntryCache<string, UploadedImage>(keptMax);
  let askAgainAtMs = 0;

  const failed = (...how: Parameters<typeof onFailed>): false => {
    askAgainAtMs = nowMs() + pauseAfterFailureMs;
    onFailed(...how);
    return false;
  };

  const ask = async (workspaceId: string, ids: readonly string[]): Promise<true> => {
    for (const image of await findImages(pool, workspaceId, ids))
      kept.set(`${workspaceId} ${image.id}`, toImage(image));
    return true;
  };

  /** One statement for all ids that are not held. @returns whether it is known which of them exist */
  const read = async (workspaceId: string, ids: readonly string[]): Promise<boolean> => {
    const unknown = ids.filter((id) => !kept.has(`${workspaceId} ${id}`));
    if (unknown.length === 0) return true;
    if (nowMs() < askAgainAtMs) return false;
    try {
      return (await within(waitMs, ask(workspaceId, unknown))) ?? failed('late');
    } catch (error) {
      return failed('refused', error);
    }
  };

  return async (workspaceId, urls) => {
    const named = new Map<string, string>();
    for (const url of urls.slice(0, urlsMax)) {
      const id = imageOfUrl(url, origins);
      if (id !== undefined) named.set(url, id);
    }
    const isComplete = await read(workspaceId, [...new Set(named.values())]);
    const images = new Map<string, UploadedImage>();
    for (const [url, id] of named) {
      const image = kept.get(`${workspaceId} ${id}`);
      if (image) images.set(url, image);
    }
    return { images, isComplete };
  };
};
