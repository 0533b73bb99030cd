/** /api/qr/brand-kits. Everyone in the workspace sees them; its admins manage them. */
import {
  type BrandKitFields,
  type BrandKitObject,
  createBrandKitBody,
  type UpdateBrandKitBody,
  updateBrandKitBody,
} from '#schemas/api/brand-kits.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { isForbiddenTarget } from '../../outgoing/safe-fetch.ts';
import { createBrandKitDocs, deleteBrandKitDocs, listBrandKitsDocs, updateBrandKitDocs } from './docs.ts';
import type { BrandKits } from './kits.ts';
import { looksDifferent, type ProveLook, proveKit } from './proving.ts';
import {
  type BrandKit,
  type BrandKitChanges,
  type ChangedLook,
  createBrandKit,
  deleteBrandKit,
  findBrandKit,
  listBrandKits,
  updateBrandKit,
} from './store.ts';

/** What a kit has where it does not say: stored, so that it shows. */
const defaults = { dotType: 'rounded', cornerType: 'extra-rounded' } as const;

const toObject = ({ kitId, workspaceId, name, fields, ...kit }: BrandKit): BrandKitObject => ({
  kitId,
  workspaceId,
  name,
  createdBy: kit.createdBy,
  ...fields,
  createdAt: kit.createdAt.getTime(),
  updatedAt: kit.updatedAt.getTime(),
});

/** Times that other changes of the same kit may come between before this one gives up. */
const attemptsMax = 5;

/** Null takes a field away; what is absent stays. */
const changesOf = ({ name, ...sent }: UpdateBrandKitBody): BrandKitChanges => {
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

export interface BrandKitOptions {
  pool: Pool;
  kits: Pick<BrandKits, 'fetchLogo' | 'logoOf'>;
  prove: ProveLook;
  /** Of literal addresses in URLs; names are resolved when the logo is fetched. */
  isAllowedAddress(address: string): boolean;
}

export const createBrandKitOperations = (options: BrandKitOptions): Operation[] => {
  const { pool, kits, prove, isAllowedAddress } = options;

  const checkLogoUrl = (logoUrl: string | null | undefined): void => {
    if (typeof logoUrl === 'string' && isForbiddenTarget(new URL(logoUrl), isAllowedAddress))
      throw new ClientError('UNPROCESSABLE', 'logoUrl must not lead to a private or reserved address');
  };

  /** Proves what the change makes of the kit. @returns undefined where codes look as before */
  const proveChange = async (seen: BrandKit, changes: BrandKitChanges): Promise<ChangedLook | undefined> => {
    const fields = changed(seen.fields, changes);
    if (!changes.newLogo && !looksDifferent(fields, seen.fields)) return undefined;
    const newLogo =
      changes.newLogo && fields.logoUrl !== undefined ? await kits.fetchLogo(fields.logoUrl) : undefined;
    const logo = changes.newLogo ? newLogo : await kits.logoOf(seen);
    await proveKit(prove, seen.workspaceId, fields, logo);
    return { seenVersion: seen.version, logo: newLogo };
  };

  /** Not under a lock: a picture takes a while, and a logo longer. */
  const update = async (workspaceId: string, kitId: string, changes: BrandKitChanges): Promise<BrandKit> => {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const seen = await findBrandKit(pool, workspaceId, kitId);
      const look = await proveChange(seen, changes);
      const kit = await updateBrandKit(pool, workspaceId, kitId, changes, look);
      if (kit) return kit;
    }
    throw new ClientError('CONFLICT', 'The brand kit is being changed by others; try again');
  };

  return [
    operation({
      method: 'get',
      path: '/api/qr/brand-kits',
      docs: listBrandKitsDocs,
      async handle({ principal: { workspaceId } }) {
        return { body: { brandKits: (await listBrandKits(pool, workspaceId)).map(toObject) } };
      },
    }),
    operation({
      method: 'post',
      path: '/api/qr/brand-kits',
      access: 'admin',
      body: createBrandKitBody,
      creates: {},
      docs: createBrandKitDocs,
      async handle({ principal: { workspaceId, keyId }, body: { name, ...sent }, create }) {
        checkLogoUrl(sent.logoUrl);
        const fields = { ...defaults, ...changesOf(sent).set } as BrandKitFields;
        return create({
          isLong: true,
          async prepare() {
            const logo = fields.logoUrl === undefined ? undefined : await kits.fetchLogo(fields.logoUrl);
            await proveKit(prove, workspaceId, fields, logo);
            return logo;
          },
          effect: async (db, logo) => ({
            status: 201,
            body: toObject(await createBrandKit(db, { workspaceId, name, fields, createdBy: keyId, logo })),
          }),
        });
      },
    }),
    operation({
      method: 'patch',
      path: '/api/qr/brand-kits/:kitId',
      access: 'admin',
      body: updateBrandKitBody,
      docs: updateBrandKitDocs,
      async handle({ principal: { workspaceId }, params: { kitId = '' }, body }) {
        checkLogoUrl(body.logoUrl);
        return { body: toObject(await update(workspaceId, kitId, changesOf(body))) };
      },
    }),
    operation({
      method: 'delete',
      path: '/api/qr/brand-kits/:kitId',
      access: 'admin',
      docs: deleteBrandKitDocs,
      async handle({ principal: { workspaceId }, params: { kitId = '' } }) {
        await deleteBrandKit(pool, workspaceId, kitId);
        return { status: 204 };
      },
    }),
  ];
};
