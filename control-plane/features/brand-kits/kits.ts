/** Brand kits as codes and static codes use them: found by their id, and turned into a style, logo included. */
import { LRUCache } from 'lru-cache';
import { logoBytesMax, lookShape, type Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { isForeign } from '../../db/owned.ts';
import type { Pool } from '../../db/pool.ts';
import { FetchFailed, type SafeFetch } from '../../outgoing/safe-fetch.ts';
import {
  type BrandKit,
  findLogo,
  keepLogo,
  listEarlierVersions,
  lookForBrandKit,
  ownedKits,
} from './store.ts';
import { styleOfKit } from './style-of-kit.ts';

const timeoutMs = 5_000;
const redirectsMax = 3;
const logosBytesMax = 32 * 2 ** 20;
/** A logo that cannot be had is not asked for again so soon: pictures may be asked for often. */
const refusedForMs = 10_000;
const refusalsMax = 10_000;

export interface BrandKits {
  /**
   * The kit that a client wants to apply.
   * @throws {ClientError} UNPROCESSABLE naming brandKitId; FORBIDDEN where it is another workspace's
   */
  applicable(workspaceId: string, kitId: string): Promise<BrandKit>;
  /** The kit that a saved style of the workspace names, also where it was deleted since. */
  find(workspaceId: string, kitId: string): Promise<BrandKit | undefined>;
  /** The looks that it had before, newest first. */
  earlier(kit: BrandKit): Promise<BrandKit[]>;
  /**
   * The picture behind a URL, in base64; undefined where it cannot be had now.
   * @throws {ClientError} UNPROCESSABLE naming logoUrl: what was had is no logo, or must not be asked for
   */
  fetchLogo(url: string): Promise<string | undefined>;
  /**
   * The logo of a kit, in base64; undefined where it has none, or it cannot be had now.
   * @throws {ClientError} as {@link BrandKits.fetchLogo}
   */
  logoOf(kit: BrandKit): Promise<string | undefined>;
  /**
   * The kit in the keys of a style. The logo is fetched once, and kept.
   * @throws {ClientError} UNPROCESSABLE saying why the logo cannot be had
   */
  styleOf(kit: BrandKit): Promise<Style>;
}

const unlessFailed = async (fetching: Promise<string>): Promise<string | undefined> => {
  try {
    return await fetching;
  } catch (error) {
    if (error instanceof FetchFailed) return undefined;
    throw error;
  }
};

export const createBrandKits = (pool: Pool, fetch: SafeFetch): BrandKits => {
  const logos = new LRUCache<string, string>({
    maxSize: logosBytesMax,
    sizeCalculation: ({ length }) => length,
  });
  const refusals = new LRUCache<string, ClientError>({ max: refusalsMax, ttl: refusedForMs });

  const fetchLogo = async (field: string, url: string): Promise<string> => {
    const bytes = await fetch.get(url, {
      field,
      bytesMax: logoBytesMax,
      timeoutMs,
      redirectsMax,
      accept: 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml',
    });
    const parsed = lookShape.image.safeParse(bytes.toString('base64'));
    if (!parsed.success)
      throw new ClientError('UNPROCESSABLE', `${field} must be a PNG, JPEG, GIF, WebP or SVG picture`);
    return parsed.data;
  };

  /** Fetched once, and kept. */
  const requireLogo = async ({ kitId, logoVersion }: BrandKit, url: string): Promise<string> => {
    const key = `${kitId} ${logoVersion}`;
    const known = logos.get(key);
    if (known !== undefined) return known;
    const refusal = refusals.get(key);
    if (refusal) throw refusal;
    const kept = await findLogo(pool, kitId, logoVersion);
    const logo = kept ?? (await keepLogo(pool, kitId, logoVersion, await fetchOrRemember(key, url)));
    logos.set(key, logo);
    return logo;
  };

  const fetchOrRemember = async (key: string, url: string): Promise<string> => {
    try {
      return await fetchLogo('brandKitId: the logoUrl of the brand kit', url);
    } catch (error) {
      if (error instanceof ClientError) refusals.set(key, error);
      throw error;
    }
  };

  return {
    async applicable(workspaceId, kitId) {
      const kit = await lookForBrandKit(pool, workspaceId, kitId);
      if (kit && !kit.deleted) return kit;
      if (await isForeign(pool, ownedKits, workspaceId, kitId))
        throw new ClientError('FORBIDDEN', 'brandKitId is a brand kit of another workspace');
      throw new ClientError('UNPROCESSABLE', 'brandKitId does not exist in this workspace');
    },
    find: (workspaceId, kitId) => lookForBrandKit(pool, workspaceId, kitId),
    earlier: (kit) => listEarlierVersions(pool, kit),
    fetchLogo: (url) => unlessFailed(fetchLogo('logoUrl', url)),
    async logoOf(kit) {
      const { logoUrl } = kit.fields;
      return logoUrl === undefined ? undefined : unlessFailed(requireLogo(kit, logoUrl));
    },
    async styleOf(kit) {
      const { logoUrl } = kit.fields;
      return styleOfKit(kit.fields, logoUrl === undefined ? undefined : await requireLogo(kit, logoUrl));
    },
  };
};
