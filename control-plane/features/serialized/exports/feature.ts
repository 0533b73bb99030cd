/** The pictures of serialized batches, as zips. */
import type { Feature } from '../../../feature.ts';
import { brandKitsOf } from '../../brand-kits/feature.ts';
import { itemUrlsOf } from '../feature.ts';
import { jobUrl } from '../routes.ts';
import { createExportOperations } from './routes.ts';
import { startExports } from './start.ts';
import { imageJobIds } from './submission.ts';

export const serializedExports: Feature = {
  name: 'exports',
  tables: ['serialized_exports', 'serialized_export_parts'],
  ids: [imageJobIds],
  async open(services) {
    const { config, pool, storage, renderer, logger } = services;
    return {
      operations: createExportOperations({
        pool,
        storage,
        logger,
        renderer,
        kits: brandKitsOf(services),
        urls: itemUrlsOf(services),
        locationOf: jobUrl(config.baseUrl),
      }),
      jobs: await startExports(services),
    };
  },
};
