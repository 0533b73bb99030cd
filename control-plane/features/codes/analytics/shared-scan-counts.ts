/** The scan counts of a process: who reads them shares what is remembered, and the watch on changes. */
import { oncePerProcess } from '../../../feature.ts';
import { createScanCounts, type ScanCounts } from './scan-counts.ts';

export const scanCountsOf = oncePerProcess(
  ({ clickhouse, logger }): ScanCounts => createScanCounts(clickhouse, logger),
);
