/** Static codes, of which nothing is stored, and the generator that makes either kind. */
import type { Feature } from '../../feature.ts';
import { brandKitsOf } from '../brand-kits/feature.ts';
import { codeCreationOf } from '../codes/feature.ts';
import { createStaticOperations } from './routes.ts';

export const staticCodes: Feature = {
  name: 'static',
  open: (services) => ({
    operations: createStaticOperations({
      renderer: services.renderer,
      kits: brandKitsOf(services),
      createDynamicCode: codeCreationOf(services),
      qrHost: services.config.qrHost,
    }),
  }),
};
