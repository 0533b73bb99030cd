/** The logos of brand kits: fetched from their URL once, then stored. */
import { LRUCache } from 'lru-cache';
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { FetchFailed, type SafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { fetchLogo } from '../logos/fetch-logo.ts';
import type { BrandKit } from './brand-kit.ts';
import { findLogo, keepLogo } from './versions.ts';

const timeoutMs = 5_000;
const logosBytesMax = 32 * 2 ** 20;
/** A logo that could not be fetched is not retried for this long: pictures may be requested often. */
const refusedForMs = 10_000;
const refusalsMax = 10_000;

export interface KitLogos {
  /**
   * The picture behind a URL, in base64; undefined if its server does not give it now.
   * @throws {ClientError} UNPROCESSABLE naming logoUrl: the answer is not a logo, or the URL is forbidden
   */
  fetch(url: string): Promise<string | undefined>;
  /**
   * The logo of a kit, in base64; undefined if it has none, or its server does not give it now.
   * @throws {ClientError} as {@link KitLogos.fetch}
   */
  of(kit: BrandKit): Promise<string | undefined>;
  /**
   * The logo of a kit, in base64; undefined if it has none.
   * @throws {ClientError} UNPROCESSABLE saying why there is no logo
   */
  require(kit: BrandKit): Promise<string | undefined>;
}

const unlessFailed = async (fetching: Promise<string | undefined>): Promise<string | undefined> => {
  try {
    return await fetching;
  } catch (error) {
    if (error instanceof FetchFailed) return undefined;
    throw error;
  }
};

export const createKitLogos = (pool: Pool, safeFetch: SafeFetch): KitLogos => {
  const logos = new LRUCache<string, string>({
    maxSize: logosBytesMax,
    sizeCalculation: ({ length }) => length,
  });
  const refusals = createEntryCache<string, ClientError>(refusalsMax, { ttl: refusedForMs });

  const fetchOrRemember = async (key: string, url: string): Promise<string> => {
    try {
      return await fetchLogo(safeFetch, url, {
        field: 'brandKitId: the logoUrl of the brand kit',
        timeoutMs,
      });
    } catch (error) {
      if (error instanceof ClientError) refusals.set(key, error);
      throw error;
    }
  };

  const require = async ({ kitId, logoVersion, fields: { logoUrl } }: BrandKit) => {
    if (logoUrl === undefined) return undefined;
    const key = `${kitId} ${logoVersion}`;
    const known = logos.get(key);
    if (known !== undefined) return known;
    const refusal = refusals.get(key);
    if (refusal) throw refusal;
    const kept = await findLogo(pool, kitId, logoVersion);
    const logo = kept ?? (await keepLogo(pool, kitId, logoVersion, await fetchOrRemember(key, logoUrl)));
    logos.set(key, logo);
    return logo;
  };

  return {
    fetch: (url) => unlessFailed(fetchLogo(safeFetch, url, { field: 'logoUrl', timeoutMs })),
    of: (kit) => unlessFailed(require(kit)),
    require,
  };
};
