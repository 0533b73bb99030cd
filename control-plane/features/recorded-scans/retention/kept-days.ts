/** For how many days single scans of a workspace are kept. */
import type { Services } from '../../../framework/services.ts';
import { readScanSettings } from './settings.ts';

export const keptDaysIn =
  ({ pool, config }: Pick<Services, 'pool' | 'config'>) =>
  async (workspaceId: string): Promise<number> => {
    const { scanRetentionDays } = await readScanSettings(pool, workspaceId);
    return Math.min(scanRetentionDays ?? config.scanRetentionDays, config.scanRetentionDays);
  };
