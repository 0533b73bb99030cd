/** Brand kits for codes and static codes: found by id, and turned into a style with the logo. */
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { isForeign } from '../../platform/db/owned.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { SafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import type { BrandKit } from './brand-kit.ts';
import { createKitLogos, type KitLogos } from './kit-logos.ts';
import { ownedKits, seekBrandKit } from './store.ts';
import { styleOfKit } from './style-of-kit.ts';
import { listEarlierVersions } from './versions.ts';

export interface BrandKits {
  /**
   * The kit that a client wants to apply.
   * @throws {ClientError} UNPROCESSABLE naming brandKitId; FORBIDDEN if it is another workspace's
   */
  applicable(workspaceId: string, kitId: string): Promise<BrandKit>;
  /** The kit that a saved style of the workspace names, even if it was deleted since. */
  find(workspaceId: string, kitId: string): Promise<BrandKit | undefined>;
  /** Earlier looks of the kit, newest first. */
  earlier(kit: BrandKit): Promise<BrandKit[]>;
  /**
   * The kit as a style.
   * @throws {ClientError} UNPROCESSABLE saying why there is no logo
   */
  styleOf(kit: BrandKit): Promise<Style>;
  readonly logos: KitLogos;
}

export const createBrandKits = (pool: Pool, safeFetch: SafeFetch): BrandKits => {
  const logos = createKitLogos(pool, safeFetch);
  return {
    async applicable(workspaceId, kitId) {
      const kit = await seekBrandKit(pool, workspaceId, kitId);
      if (kit && !kit.deleted) return kit;
      if (await isForeign(pool, ownedKits, workspaceId, kitId))
        throw new ClientError('FORBIDDEN', `brandKitId ${quoted(kitId)} belongs to another workspace`, {
          fault: 'reference',
        });
      throw new ClientError(
        'UNPROCESSABLE',
        `brandKitId ${quoted(kitId)} is not a brand kit of this workspace`,
        { fault: 'reference' },
      );
    },
    find: (workspaceId, kitId) => seekBrandKit(pool, workspaceId, kitId),
    earlier: (kit) => listEarlierVersions(pool, kit),
    styleOf: async (kit) => styleOfKit(kit.fields, await logos.require(kit)),
    logos,
  };
};
