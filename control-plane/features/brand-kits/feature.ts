/** Brand kits: named looks, which codes use by id. */
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { type BrandKits, createBrandKits } from './kits.ts';
import type { ProveLook } from './prove-kit.ts';
import { createBrandKitOperations } from './routes.ts';
import { brandKitIds } from './store.ts';

export const brandKitsOf = oncePerProcess(
  ({ pool, safeFetch }): BrandKits => createBrandKits(pool, safeFetch),
);

/** @param proverOf gives the prover: it draws codes, which this feature does not import */
export const brandKits = (proverOf: (services: Services) => ProveLook): Feature => ({
  name: 'brand-kits',
  tables: ['brand_kits', 'brand_kit_counts', 'brand_kit_logos', 'brand_kit_versions'],
  ids: [brandKitIds],
  open(services) {
    const { pool, isAllowedAddress } = services;
    const kits = brandKitsOf(services);
    const prove = proverOf(services);
    return { operations: createBrandKitOperations({ pool, kits, prove, isAllowedAddress }) };
  },
});
