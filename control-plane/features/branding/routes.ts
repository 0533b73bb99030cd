/** /api/branding. Everyone in the workspace sees it; its admins set it. */
import { type BrandingObject, brandingBody } from '#schemas/api/branding.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import { readBrandingDocs, setBrandingDocs } from './docs.ts';
import type { PrepareBranding } from './prepare-branding.ts';
import { type Branding, changeBranding, findBranding } from './store.ts';
import { shownOf } from './stored-branding.ts';

export interface BrandingOptions {
  pool: Pool;
  publishing: Pick<DocumentPublishing, 'publish'>;
  prepare: PrepareBranding;
}

const path = '/api/branding';

const toObject = (branding: Branding | undefined): BrandingObject => ({
  ...shownOf(branding?.fields ?? {}),
  updatedAt: branding?.updatedAt.toISOString() ?? null,
});

export const createBrandingOperations = ({ pool, publishing, prepare }: BrandingOptions): Operation[] => [
  operation({
    method: 'get',
    path,
    docs: readBrandingDocs,
    handle: async ({ principal: { workspaceId } }) => ({
      body: toObject(await findBranding(pool, workspaceId)),
    }),
  }),
  operation({
    method: 'put',
    path,
    access: 'admin',
    body: brandingBody,
    screened: true,
    bodyLimit: bodyLimits.branding,
    docs: setBrandingDocs,
    async handle({ principal: { workspaceId }, body }) {
      const fields = await prepare(body, { workspaceId, logoField: 'logo' });
      const { branding, documents } = await changeBranding(pool, workspaceId, fields);
      await publishing.publish(documents);
      return { body: toObject(branding) };
    },
  }),
];
