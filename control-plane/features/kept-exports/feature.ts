/** Exports whose file is kept for some days: all codes, or all single scans. */
import { createCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { keptBytesMaxOf } from '../bulk/generate/room.ts';
import { scanCountsOf } from '../codes/analytics/shared-scan-counts.ts';
import { toWholeCodeObject } from '../codes/code-object.ts';
import { createDelivered } from '../recorded-scans/events/delivered.ts';
import { keptDaysIn } from '../recorded-scans/retention/kept-days.ts';
import { createCodesContents } from './codes.ts';
import { createExportKind } from './kind.ts';
import { sweepKeptExports } from './nightly.ts';
import { createKeptExportOperations } from './routes.ts';
import { createScansContents } from './scans.ts';
import { exportIds } from './store.ts';

export const keptExports: Feature = {
  name: 'kept-exports',
  tables: ['kept_exports', 'kept_export_parts'],
  ids: [exportIds],
  keyPurposes: ['export cursor'],
  open(services) {
    const { config, connections, pool, clickhouse, redis, storage, logger } = services;
    const sources = {
      pool,
      scanCounts: scanCountsOf(services),
      qrHost: config.qrHost,
      toWholeCodeObject,
    };
    const scans = {
      clickhouse,
      keptDaysOf: keptDaysIn(services),
      deliveredUntil: createDelivered(redis, clickhouse).until,
    };
    const files = { pool: connections.jobs, storage, logger };
    return {
      operations: createKeptExportOperations({
        ...scans,
        pool,
        storage,
        logger,
        sources,
        cursors: createCursors(services.keyFor('export cursor')),
        keptBytesMaxOf,
        locationOf: (exportId) => `${config.baseUrl}/api/qr/exports/${exportId}`,
      }),
      jobKinds: [
        createExportKind(files, createCodesContents({ ...sources, pool: connections.jobs })),
        createExportKind(files, createScansContents(scans)),
      ],
      tasks: [{ task: 'sweep-kept-exports', schedule: '10 4 * * *', run: () => sweepKeptExports(files) }],
    };
  },
};
