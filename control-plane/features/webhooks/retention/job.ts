/** The job that removes expired data. */
import type { Logger } from '#shared/logger.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { removeExpired } from './expired.ts';

export const retentionJob = ({ pool, logger }: { pool: Pool; logger: Logger }): Task => ({
  task: 'remove-expired-webhook-events',
  // Hourly, so that a partition that was in use is dropped soon.
  schedule: '17 * * * *',
  run: () =>
    removeExpired(pool, (partition) =>
      logger.info({ partition }, 'an expired partition is in use; it will be dropped later'),
    ),
});
