/** Serialized codes for print: sheets, and the file for label printers. */
import type { Feature } from '../../../framework/feature.ts';
import { exportEnds } from '../exports/work/kind.ts';
import { itemUrlsOf } from '../feature.ts';
import { jobUrl } from '../routes.ts';
import { createLabelOperations } from './labels/routes.ts';
import { createSheetKind } from './sheets/kind.ts';
import { createSheetOperations } from './sheets/routes.ts';
import { sheetJobIds } from './sheets/submission.ts';

export const serializedPrinting: Feature = {
  name: 'printing',
  ids: [sheetJobIds],
  async open(services) {
    const { config, connections, pool, storage, renderer, metrics, logger } = services;
    const urls = itemUrlsOf(services);
    const locationOf = jobUrl(config.baseUrl);
    const count = metrics.counter('sheet_labels_total', 'Labels of sheets that were drawn', 'what', [
      'label',
    ]);
    return {
      operations: [
        ...createSheetOperations({ pool, storage, renderer, logger, urls, locationOf }),
        ...createLabelOperations({ pool, urls }),
      ],
      jobKinds: [
        createSheetKind({
          pool: connections.jobs,
          storage,
          logger,
          renderer,
          urls,
          onLabels: (labels) => count('label', labels),
          onEnded: metrics.counter(
            'sheets_total',
            'Sheets of serialized batches, by how they ended',
            'end',
            exportEnds,
          ),
        }),
      ],
    };
  },
};
