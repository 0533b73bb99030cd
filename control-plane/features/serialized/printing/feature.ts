/** Serialized codes for print: sheets, and the file for label printers. */
import type { Feature } from '../../../feature.ts';
import { itemUrlsOf } from '../feature.ts';
import { jobUrl } from '../routes.ts';
import { createLabelOperations } from './labels/routes.ts';
import { createSheetOperations } from './sheets/routes.ts';
import { startSheets } from './sheets/start.ts';
import { sheetJobIds } from './sheets/submission.ts';

export const serializedPrinting: Feature = {
  name: 'printing',
  ids: [sheetJobIds],
  async open(services) {
    const { config, pool, storage, renderer, logger } = services;
    const urls = itemUrlsOf(services);
    const locationOf = jobUrl(config.baseUrl);
    return {
      operations: [
        ...createSheetOperations({ pool, storage, renderer, logger, urls, locationOf }),
        ...createLabelOperations({ pool, urls }),
      ],
      jobs: await startSheets(services),
    };
  },
};
