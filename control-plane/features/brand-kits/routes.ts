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
import { isForbiddenTarget } from '../../http/safe-fetch.ts';
import { createBrandKitDocs, deleteBrandKitDocs, listBrandKitsDocs, updateBrandKitDocs } from './docs.ts';
import {
  type BrandKit,
  type BrandKitChanges,
  createBrandKit,
  deleteBrandKit,
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

/** Null takes a field away; what is absent stays. */
const changesOf = ({ name, ...sent }: UpdateBrandKitBody): BrandKitChanges => {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return {
    name,
    set: Object.fromEntries(given.filter(([, value]) => value !== null)) as Partial<BrandKitFields>,
    cleared: given.filter(([, value]) => value === null).map(([key]) => key),
    forgetLogo: sent.logoUrl !== undefined,
  };
};

export interface BrandKitOptions {
  pool: Pool;
  /** Of literal addresses in URLs; names are resolved when the logo is fetched. */
  isAllowedAddress(address: string): boolean;
}

export const createBrandKitOperations = ({ pool, isAllowedAddress }: BrandKitOptions): Operation[] => {
  const checkLogoUrl = (logoUrl: string | null | undefined): void => {
    if (typeof logoUrl === 'string' && isForbiddenTarget(new URL(logoUrl), isAllowedAddress))
      throw new ClientError('UNPROCESSABLE', 'logoUrl must not lead to a private or reserved address');
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
        return create(async (db) => ({
          status: 201,
          body: toObject(await createBrandKit(db, { workspaceId, name, fields, createdBy: keyId })),
        }));
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
        return { body: toObject(await updateBrandKit(pool, workspaceId, kitId, changesOf(body))) };
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
