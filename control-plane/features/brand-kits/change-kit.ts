/** Creates and changes the brand kits of a workspace: nothing is stored before its look is proven. */
import type { BrandKitFields, UpdateBrandKitBody } from '#schemas/api/brand-kits.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { OvertakenError, retryWhenOvertaken } from '../../platform/db/overtaken.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { isForbiddenTarget } from '../../platform/outgoing/safe-fetch.ts';
import type { BrandKit } from './brand-kit.ts';
import type { KitLogos } from './kit-logos.ts';
import { looksDifferent, type ProveLook, proveKit } from './prove-kit.ts';
import { type BrandKitChanges, findBrandKit, updateBrandKit } from './store.ts';

/** Null removes a field; an absent one stays. */
export const kitChangesOf = ({ name, ...sent }: UpdateBrandKitBody): BrandKitChanges => {
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

export interface KitEditorOptions {
  pool: Pool;
  logos: KitLogos;
  prove: ProveLook;
  /** For literal addresses in URLs; names are resolved when the logo is fetched. */
  isAllowedAddress(address: string): boolean;
}

export interface ProvenKit {
  /** In base64; undefined if the kit has none, or its server does not give it now. */
  logo: string | undefined;
  /** About its look. */
  warnings: readonly string[];
}

export interface ChangedKit {
  kit: BrandKit;
  /** About its look, if that has changed. */
  warnings: readonly string[];
}

export interface KitEditor {
  /** @throws {ClientError} UNPROCESSABLE for a URL whose literal address is not allowed */
  checkLogoUrl(logoUrl: string | null | undefined): void;
  /**
   * Fetches the logo of a new kit, and proves its look.
   * @throws {ClientError} UNPROCESSABLE naming a field of the kit
   */
  proveNew(workspaceId: string, fields: BrandKitFields): Promise<ProvenKit>;
  /**
   * Works without a lock: drawing takes a while, and fetching a logo longer.
   * @throws {ClientError} NOT_FOUND, FORBIDDEN, UNPROCESSABLE naming a field, CONFLICT if others keep changing it
   */
  update(workspaceId: string, kitId: string, changes: BrandKitChanges): Promise<ChangedKit>;
}

export const createKitEditor = ({ pool, logos, prove, isAllowedAddress }: KitEditorOptions): KitEditor => {
  const fetchLogo = async ({ logoUrl }: BrandKitFields): Promise<string | undefined> =>
    logoUrl === undefined ? undefined : logos.fetch(logoUrl);

  /** Proves the changed kit. @returns no look if codes look as before */
  const proveChange = async (seen: BrandKit, changes: BrandKitChanges) => {
    const fields = changed(seen.fields, changes);
    if (!changes.newLogo && !looksDifferent(fields, seen.fields)) return { look: undefined, warnings: [] };
    const newLogo = changes.newLogo ? await fetchLogo(fields) : undefined;
    const logo = changes.newLogo ? newLogo : await logos.of(seen);
    const warnings = await proveKit(prove, seen.workspaceId, fields, logo);
    return { look: { seenVersion: seen.version, logo: newLogo }, warnings };
  };

  return {
    checkLogoUrl(logoUrl) {
      if (typeof logoUrl !== 'string') return;
      const url = new URL(logoUrl);
      if (!isForbiddenTarget(url, isAllowedAddress)) return;
      // User, password and query may be secret.
      const given = quoted(`${url.origin}${url.pathname}`);
      throw new ClientError('UNPROCESSABLE', `logoUrl must lead to a public address; given: ${given}`);
    },
    async proveNew(workspaceId, fields) {
      const logo = await fetchLogo(fields);
      return { logo, warnings: await proveKit(prove, workspaceId, fields, logo) };
    },
    update: (workspaceId, kitId, changes) =>
      retryWhenOvertaken('brand kit', async () => {
        const seen = await findBrandKit(pool, workspaceId, kitId);
        const { look, warnings } = await proveChange(seen, changes);
        const kit = await updateBrandKit(pool, workspaceId, kitId, changes, look);
        if (!kit) throw new OvertakenError();
        return { kit, warnings };
      }),
  };
};
