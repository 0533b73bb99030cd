/** Pictures of codes: for principals, and by signed links for clients without a key. */
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import type { ProveLook } from '../brand-kits/prove-kit.ts';
import { findLinkBase } from '../codes/store/link-base.ts';
import { picturesOf } from '../pictures/feature.ts';
import { createLinks } from './link.ts';
import { createImageOperations } from './routes.ts';

/** Used instead of a code's id, with the same length: a brand kit is proven with it. */
const sampleId = '123456789';

/** Proves the look of a brand kit. */
export const kitProverOf = (services: Services): ProveLook => {
  const { prove } = picturesOf(services);
  return async (workspaceId, style) =>
    prove({ id: sampleId, workspaceId, linkBase: await findLinkBase(services.pool, workspaceId) }, style);
};

export const images: Feature = {
  name: 'images',
  keyPurposes: ['render-link'],
  open(services) {
    const { config, pool, keyFor } = services;
    const links = createLinks(keyFor('render-link'));
    const pictures = picturesOf(services);
    return { operations: createImageOperations({ pool, pictures, links, baseUrl: config.baseUrl }) };
  },
};
