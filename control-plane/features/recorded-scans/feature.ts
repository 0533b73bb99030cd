/** The scans of a workspace: their analytics, single scans, how long these are kept, and scans of codes that do not exist. */
import { createTextCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { createAskScans } from './analytics/query.ts';
import { createAnalyticsOperation } from './analytics/routes.ts';
import { createDelivered } from './events/delivered.ts';
import { createLive } from './events/live.ts';
import { createScanReads } from './events/reads.ts';
import { createScanOperation } from './events/routes.ts';
import { streamMinutes } from './events/stream.ts';
import { keptDaysIn } from './retention/kept-days.ts';
import { createSettingsOperations } from './retention/routes.ts';
import { retentionTask } from './retention/task.ts';
import { unknownCodesRouter, unknownCodesTask } from './unknown/reported.ts';
import { createUnknownCodesOperation } from './unknown/routes.ts';

/** @param streamMs how long a stream of events lasts */
export const createRecordedScans = (streamMs = streamMinutes * 60_000): Feature => ({
  name: 'recorded-scans',
  tables: ['scan_settings', 'unknown_codes', 'unknown_code_segments', 'unknown_code_rejected_lines'],
  keyPurposes: ['scan cursor'],
  open(services) {
    const { clickhouse, pool, config, redis, retired, logger, metrics, keyFor } = services;
    const facts = { db: pool, qrHost: config.qrHost };
    const delivered = createDelivered(redis, clickhouse);
    const live = createLive({ clickhouse, delivered, retired, logger });
    metrics.gauge('scan_followers', 'Clients that follow the scans of their workspace', () => live.streams);
    metrics.gauge('scan_feeds', 'Workspaces whose scans are followed', () => live.feeds);
    return {
      operations: [
        createAnalyticsOperation({
          ask: createAskScans(clickhouse),
          facts,
          keptDaysOf: keptDaysIn(services),
        }),
        createScanOperation({
          reads: createScanReads(clickhouse),
          facts,
          delivered,
          live,
          cursors: createTextCursors(keyFor('scan cursor')),
          streamMs,
        }),
        createUnknownCodesOperation(pool),
        ...createSettingsOperations(pool, config.scanRetentionDays),
      ],
      internalRoutes: [unknownCodesRouter(services)],
      tasks: [
        retentionTask({ pool, clickhouse, serverDays: config.scanRetentionDays, logger }),
        unknownCodesTask(pool),
      ],
    };
  },
});

export const recordedScans = createRecordedScans();
