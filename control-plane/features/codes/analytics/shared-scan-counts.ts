/** The scan counts of a process: all readers share the remembered counts and the watch on changes. */
import { oncePerProcess } from '../../../framework/feature.ts';
import { createScanCounts, type ScanCounts } from './scan-counts.ts';

export const scanCountsOf = oncePerProcess(
  ({ clickhouse, logger }): ScanCounts => createScanCounts(clickhouse, logger),
);
