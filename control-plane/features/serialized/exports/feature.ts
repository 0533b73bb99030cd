/** The pictures of serialized batches, as zips. */
import { imageExportFormats } from '#schemas/api/serialized-images.ts';
import type { Feature } from '../../../framework/feature.ts';
import { brandKitsOf } from '../../brand-kits/feature.ts';
import { itemUrlsOf } from '../feature.ts';
import { jobUrl } from '../routes.ts';
import { sweepExports } from './nightly.ts';
import { createExportOperations } from './routes.ts';
import { imageJobIds } from './submission.ts';
import { createImageKind } from './work/images.ts';
import { exportEnds } from './work/kind.ts';

export const serializedExports: Feature = {
  name: 'exports',
  tables: ['serialized_exports', 'serialized_export_parts'],
  ids: [imageJobIds],
  async open(services) {
    const { config, connections, pool, storage, renderer, metrics, logger } = services;
    const urls = itemUrlsOf(services);
    return {
      operations: createExportOperations({
        pool,
        storage,
        logger,
        renderer,
        kits: brandKitsOf(services),
        urls,
        locationOf: jobUrl(config.baseUrl),
      }),
      jobKinds: [
        createImageKind({
          pool: connections.jobs,
          storage,
          logger,
          renderer,
          urls,
          onPictures: metrics.counter(
            'export_pictures_total',
            'Pictures of serialized items that were drawn',
            'format',
            imageExportFormats,
          ),
          onEnded: metrics.counter(
            'exports_total',
            'Exports of serialized batches, by how they ended',
            'end',
            exportEnds,
          ),
        }),
      ],
      tasks: [
        { task: 'sweep-exports', schedule: '50 3 * * *', run: () => sweepExports({ pool, storage, logger }) },
      ],
    };
  },
};
