/** Conversions: results of scans, such as purchases, as the servers of their owners report them. */
import { conversionBody } from '#schemas/api/conversions.ts';
import { createScanIds } from '#shared/scan-ids.ts';
import { deriveKey } from '#shared/signing.ts';
import { validateBody } from '../../api/http/validation.ts';
import type { Feature } from '../../framework/feature.ts';
import { conversionIds, removeOldKeys } from './keys.ts';
import { createTakeReports } from './report.ts';
import { createConversionOperation } from './routes.ts';
import { createStoreRows } from './rows.ts';
import { createFindScans } from './scans.ts';

export const conversions: Feature = {
  name: 'conversions',
  tables: ['conversion_keys'],
  ids: [conversionIds],
  events: ['conversion.created'],
  open({ pool, connections, clickhouse, outbox, config }) {
    const take = createTakeReports({
      pool,
      outbox,
      scanIds: createScanIds(deriveKey(config.secretKey, 'scan-id')),
      findScans: createFindScans(clickhouse),
      storeRows: createStoreRows(clickhouse),
      check: (body) => validateBody(conversionBody, body),
    });
    return {
      operations: [createConversionOperation(take)],
      tasks: [
        {
          task: 'remove-old-conversion-keys',
          schedule: '41 3 * * *',
          run: () => removeOldKeys(connections.jobs, new Date()),
        },
      ],
    };
  },
};
