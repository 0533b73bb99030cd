/** Partitions of the log, made ahead: a day for which there is none goes to the default ones, whose rows are deleted one by one. */
import type { Pool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Job } from '../../../jobs/registry.ts';

const daysAhead = 7;
/** A partition is made under a lock that others wait for: it is not waited for long. */
const lockTimeoutMs = 1_000;

/** Makes those of yesterday and of the next days that are missing. @throws where another transaction is in the way */
export const makePartitions = (pool: Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await tx.query(
      `SELECT make_webhook_partitions(day - 1, day + ${daysAhead}) FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) today`,
    );
  });

/** Three times a day: one that fails finds six days that are made. */
export const partitionsJob = (pool: Pool): Job => ({
  task: 'webhook-partitions',
  schedule: '7 1,9,17 * * *',
  run: () => makePartitions(pool),
});
