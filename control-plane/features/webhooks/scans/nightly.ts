/** The nightly job that forgets processed segments of scans, and rejected lines. */

import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { forgetOldSegments, type SegmentTables } from '../../../reports/tables.ts';

export const scanTables: SegmentTables = {
  segments: 'webhook_scan_segments',
  rejectedLines: 'webhook_rejected_scans',
};

export const nightlyJob = (pool: Pool): Task => ({
  task: 'sweep-reported-scans',
  schedule: '50 3 * * *',
  run: () => forgetOldSegments(pool, scanTables),
});
