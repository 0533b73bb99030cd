/** The scans of a workspace: their analytics. */
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { createAskScans } from './analytics/query.ts';
import { createAnalyticsOperation } from './analytics/routes.ts';
import { readScanSettings } from './retention/settings.ts';

const keptDaysIn =
  ({ pool, config }: Pick<Services, 'pool' | 'config'>) =>
  async (workspaceId: string): Promise<number> => {
    const { scanRetentionDays } = await readScanSettings(pool, workspaceId);
    return Math.min(scanRetentionDays ?? config.scanRetentionDays, config.scanRetentionDays);
  };

export const scans: Feature = {
  name: 'scans',
  tables: ['scan_settings', 'unknown_codes', 'unknown_code_segments', 'unknown_code_rejected_lines'],
  open(services) {
    const { clickhouse, pool, config } = services;
    return {
      operations: [
        createAnalyticsOperation({
          ask: createAskScans(clickhouse),
          facts: { db: pool, qrHost: config.qrHost },
          keptDaysOf: keptDaysIn(services),
        }),
      ],
    };
  },
};
