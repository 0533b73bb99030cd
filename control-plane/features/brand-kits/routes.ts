/** /api/qr/brand-kits. Everyone in the workspace sees them; its admins manage them. */
import {
  type BrandKitFields,
  type BrandKitObject,
  createBrandKitBody,
  updateBrandKitBody,
} from '#schemas/api/brand-kits.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { withWarnings } from '../../api/http/warnings.ts';
import type { BrandKit } from './brand-kit.ts';
import { createKitEditor, type KitEditorOptions, kitChangesOf } from './change-kit.ts';
import { createBrandKitDocs, deleteBrandKitDocs, listBrandKitsDocs, updateBrandKitDocs } from './docs.ts';
import type { BrandKits } from './kits.ts';
import { createBrandKit, deleteBrandKit, listBrandKits } from './store.ts';

/** For a new kit that does not set them: stored, so that its object shows them. */
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

export interface BrandKitOptions extends Omit<KitEditorOptions, 'logos'> {
  kits: Pick<BrandKits, 'logos'>;
}

export const createBrandKitOperations = ({ kits, ...options }: BrandKitOptions): Operation[] => {
  const { pool } = options;
  const { checkLogoUrl, proveNew, update } = createKitEditor({ ...options, logos: kits.logos });

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
        const fields = { ...defaults, ...kitChangesOf(sent).set } as BrandKitFields;
        return create({
          isLong: true,
          prepare: () => proveNew(workspaceId, fields),
          async effect(db, { logo, warnings }) {
            const kit = await createBrandKit(db, { workspaceId, name, fields, createdBy: keyId, logo });
            return { status: 201, body: withWarnings(toObject(kit), warnings) };
          },
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
        const { kit, warnings } = await update(workspaceId, kitId, kitChangesOf(body));
        return { body: withWarnings(toObject(kit), warnings) };
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
