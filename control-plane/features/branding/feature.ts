/** The branding of a workspace: what pages show of the owner of a code. */
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { documentKindsOf, documentPublishingOf } from '../../publishing/feature.ts';
import { imageEncoderOf } from '../hosted/uploads/feature.ts';
import { brandDocumentSource } from './documents.ts';
import { createPrepareBranding } from './prepare-branding.ts';
import { createBrandingOperations } from './routes.ts';
import type { FollowBranding } from './store.ts';

export const prepareBrandingOf = oncePerProcess((services) =>
  createPrepareBranding(imageEncoderOf(services)),
);

/** @param follow publishes what else has the branding: the domains, which this feature does not import */
export const branding = (follow: FollowBranding): Feature => ({
  name: 'branding',
  tables: ['branding'],
  open(services) {
    documentKindsOf(services).add(brandDocumentSource);
    return {
      operations: createBrandingOperations({
        pool: services.pool,
        publishing: documentPublishingOf(services),
        prepare: prepareBrandingOf(services),
        follow,
      }),
    };
  },
});
