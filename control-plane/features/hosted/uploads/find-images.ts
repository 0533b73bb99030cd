/** The images of a page, as its document needs them. */
import { LRUCache } from 'lru-cache';
import type { Pool } from '../../../db/pool.ts';
import type { UploadedImage } from '../page-kind.ts';
import { imageOfUrl, publicPath } from './addresses.ts';
import { findImages, type StoredImage } from './store/image-rows.ts';

/** URLs of one page that are looked at; further ones are shown as they are. */
const urlsMax = 5_000;
/** Images that are kept: what is known of one never changes. */
const keptMax = 20_000;

/** @returns those of the URLs that are uploads of the workspace, with their sizes */
export type FindImages = (
  workspaceId: string,
  urls: readonly string[],
) => Promise<ReadonlyMap<string, UploadedImage>>;

const toImage = ({ id, width, height, widths, placeholder }: StoredImage): UploadedImage => ({
  width,
  height,
  widths,
  urlOf: (one, format) => publicPath({ id, width: one, format }),
  placeholder,
});

/** @param origins of this service, which all show the same images */
export const createFindImages = (pool: Pool, origins: readonly string[]): FindImages => {
  const kept = new LRUCache<string, UploadedImage>({ max: keptMax });

  /** One statement for all that are not kept. */
  const read = async (workspaceId: string, ids: readonly string[]): Promise<void> => {
    const unknown = ids.filter((id) => !kept.has(`${workspaceId} ${id}`));
    if (unknown.length === 0) return;
    for (const image of await findImages(pool, workspaceId, unknown))
      kept.set(`${workspaceId} ${image.id}`, toImage(image));
  };

  return async (workspaceId, urls) => {
    const named = new Map<string, string>();
    for (const url of urls.slice(0, urlsMax)) {
      const id = imageOfUrl(url, origins);
      if (id !== undefined) named.set(url, id);
    }
    await read(workspaceId, [...new Set(named.values())]);
    const found = new Map<string, UploadedImage>();
    for (const [url, id] of named) {
      const image = kept.get(`${workspaceId} ${id}`);
      if (image) found.set(url, image);
    }
    return found;
  };
};
