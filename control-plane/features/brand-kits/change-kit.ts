/** How a workspace makes and changes its brand kits: nothing is stored before its look is proven. */
import type { BrandKitFields, UpdateBrandKitBody } from '#schemas/api/brand-kits.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { isForbiddenTarget } from '../../outgoing/safe-fetch.ts';
import type { BrandKit } from './brand-kit.ts';
import type { KitLogos } from './kit-logos.ts';
import { looksDifferent, type ProveLook, proveKit } from './proving.ts';
import { type BrandKitChanges, type ChangedLook, findBrandKit, updateBrandKit } from './store.ts';

/** Times that other changes of the same kit may come between before this one gives up. */
const attemptsMax = 5;

/** Null removes a field; an absent one stays. */
export const changesOf = ({ name, ...sent }: UpdateBrandKitBody): BrandKitChanges => {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return {
    name,
    set: Object.fromEntries(given.filter(([, value]) => value !== null)) as Partial<BrandKitFields>,
    cleared: given.filter(([, value]) => value === null).map(([key]) => key),
    newLogo: sent.logoUrl !== undefined,
  };
};

const changed = (fields: BrandKitFields, { set, cleared }: BrandKitChanges): BrandKitFields => {
  const left = Object.entries({ ...fields, ...set }).filter(([key]) => !cleared.includes(key));
  return Object.fromEntries(left) as BrandKitFields;
};

export interface KitChangingOptions {
  pool: Pool;
  logos: KitLogos;
  prove: ProveLook;
  /** Of literal addresses in URLs; names are resolved when the logo is fetched. */
  isAllowedAddress(address: string): boolean;
}

export interface KitChanging {
  /** @throws {ClientError} UNPROCESSABLE for a URL whose literal address is not allowed */
  checkLogoUrl(logoUrl: string | null | undefined): void;
  /**
   * Fetches the logo of a new kit, and proves its look.
   * @returns the logo in base64; undefined where the kit has none, or its server does not give it now
   * @throws {ClientError} UNPROCESSABLE naming a field of the kit
   */
  proveNew(workspaceId: string, fields: BrandKitFields): Promise<string | undefined>;
  /**
   * Not under a lock: a picture takes a while, and a logo longer.
   * @throws {ClientError} NOT_FOUND, FORBIDDEN, UNPROCESSABLE naming a field, CONFLICT where others change it all the time
   */
  update(workspaceId: string, kitId: string, changes: BrandKitChanges): Promise<BrandKit>;
}

export const createKitChanging = ({
  pool,
  logos,
  prove,
  isAllowedAddress,
}: KitChangingOptions): KitChanging => {
  const fetchLogo = async ({ logoUrl }: BrandKitFields): Promise<string | undefined> =>
    logoUrl === undefined ? undefined : logos.fetch(logoUrl);

  /** Proves what the change makes of the kit. @returns undefined where codes look as before */
  const proveChange = async (seen: BrandKit, changes: BrandKitChanges): Promise<ChangedLook | undefined> => {
    const fields = changed(seen.fields, changes);
    if (!changes.newLogo && !looksDifferent(fields, seen.fields)) return undefined;
    const newLogo = changes.newLogo ? await fetchLogo(fields) : undefined;
    const logo = changes.newLogo ? newLogo : await logos.of(seen);
    await proveKit(prove, seen.workspaceId, fields, logo);
    return { seenVersion: seen.version, logo: newLogo };
  };

  return {
    checkLogoUrl(logoUrl) {
      if (typeof logoUrl === 'string' && isForbiddenTarget(new URL(logoUrl), isAllowedAddress))
        throw new ClientError('UNPROCESSABLE', 'logoUrl must not lead to a private or reserved address');
    },
    async proveNew(workspaceId, fields) {
      const logo = await fetchLogo(fields);
      await proveKit(prove, workspaceId, fields, logo);
      return logo;
    },
    async update(workspaceId, kitId, changes) {
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const seen = await findBrandKit(pool, workspaceId, kitId);
        const look = await proveChange(seen, changes);
        const kit = await updateBrandKit(pool, workspaceId, kitId, changes, look);
        if (kit) return kit;
      }
      throw new ClientError('CONFLICT', 'The brand kit is being changed by others; try again');
    },
  };
};
