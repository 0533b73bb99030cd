/** For tests: lets time pass for a domain, and runs the job. */
import { expect } from 'vitest';
import type { Pool } from '../../../platform/db/pool.ts';

/** Moves all times of the domain into the past. @param interval as PostgreSQL reads it */
export const letPass = async (pool: Pool, id: string, interval: string): Promise<void> => {
  await pool.query(
    `UPDATE domains SET next_check_at = next_check_at - $2::interval, absent_since = absent_since - $2::interval,
       missing_since = missing_since - $2::interval, checking_since = checking_since - $2::interval WHERE id = $1`,
    [id, interval],
  );
};

/** Runs the job, and waits until it has checked the domain once more. */
export const checkWhenDue = async (pool: Pool, id: string): Promise<void> => {
  const checked = async () =>
    (await pool.query<{ at: Date | null }>('SELECT last_checked_at AS at FROM domains WHERE id = $1', [id]))
      .rows[0]?.at;
  const before = await checked();
  await pool.query(`UPDATE domains SET next_check_at = clock_timestamp() WHERE id = $1`, [id]);
  await pool.query(`SELECT graphile_worker.add_job('check-domain-records')`);
  await expect
    .poll(async () => (await checked())?.getTime(), { timeout: 60_000, interval: 30 })
    .not.toBe(before?.getTime());
};
