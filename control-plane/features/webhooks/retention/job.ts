/** The job that removes what is kept no longer. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Job } from '../../../jobs/registry.ts';
import { removeExpired } from './expired.ts';

export const retentionJob = ({ pool, logger }: { pool: Pool; logger: Logger }): Job => ({
  task: 'remove-expired-webhook-events',
  // Each hour, so that a partition that is in use is dropped soon.
  schedule: '17 * * * *',
  run: () =>
    removeExpired(pool, (partition) =>
      logger.info({ partition }, 'a partition that is to be dropped is in use; it is dropped later'),
    ),
});
