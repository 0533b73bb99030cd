/** The nightly job that forgets processed segments, and rejected lines. */

import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { forgetOldSegments, type SegmentTables } from '../../../reports/tables.ts';

export const verificationTables: SegmentTables = {
  segments: 'serialized_segments',
  rejectedLines: 'serialized_rejected_lines',
};

export const nightlyJob = (pool: Pool): Task => ({
  task: 'sweep-verifications',
  schedule: '40 3 * * *',
  run: () => forgetOldSegments(pool, verificationTables),
});
