/**
 * Creates partitions of the log ahead of time. Rows of a day without one go to the default partition, and are later
 * deleted one by one.
 */

import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';

const daysAhead = 7;
/** Creating a partition takes a lock that others wait for, so the wait for that lock is short. */
const lockTimeoutMs = 1_000;

/** Creates the missing partitions of yesterday and of the next days. @throws if another transaction is in the way */
export const makePartitions = (pool: Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await tx.query(
      `SELECT make_webhook_partitions(day - 1, day + ${daysAhead}) FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) today`,
    );
  });

/** Three times a day: if one run fails, six days are already prepared. */
export const partitionsJob = (pool: Pool): Task => ({
  task: 'webhook-partitions',
  schedule: '7 1,9,17 * * *',
  run: () => makePartitions(pool),
});
