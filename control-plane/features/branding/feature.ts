/** The branding of a workspace: what pages show of the owner of a code. */
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { documentKindsOf, documentPublishingOf } from '../../publishing/feature.ts';
import { imageEncoderOf } from '../hosted/uploads/feature.ts';
import { brandDocumentSource } from './documents.ts';
import { createPrepareBranding } from './prepare-branding.ts';
import { createBrandingOperations } from './routes.ts';
import { findLogo } from './store.ts';

export const prepareBrandingOf = oncePerProcess((services) =>
  createPrepareBranding(imageEncoderOf(services), (workspaceId, dataUrl) =>
    findLogo(services.pool, workspaceId, dataUrl),
  ),
);

export const branding: Feature = {
  name: 'branding',
  tables: ['branding'],
  open(services) {
    documentKindsOf(services).add(brandDocumentSource);
    return {
      operations: createBrandingOperations({
        pool: services.pool,
        publishing: documentPublishingOf(services),
        prepare: prepareBrandingOf(services),
      }),
    };
  },
};
