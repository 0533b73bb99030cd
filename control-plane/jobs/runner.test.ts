import pg from 'pg';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../deploy/testing/index.ts';
import { startJobs } from './runner.ts';

test('jobs run once the database answers, also where it did not when the queue asked for the first time', async () => {
  const connectionString = await createTestDatabase();
  const pool = new pg.Pool({ connectionString, max: 5, statement_timeout: 300 });
  afterFile(() => pool.end());
  const blocker = new pg.Client({ connectionString });
  await blocker.connect();
  afterFile(() => blocker.end());
  const done: string[] = [];
  const jobs = {
    tasks: {
      greet: async () => {
        done.push('greeted');
      },
    },
    crontab: '',
  };
  const logger = createLogger('test', 'silent');
  const first = await startJobs(pool, jobs, logger);
  await first.close();

  // Which kinds of jobs there are is the first thing that the queue asks, and cannot ask now.
  await blocker.query('BEGIN; LOCK TABLE graphile_worker._private_tasks IN ACCESS EXCLUSIVE MODE');
  const queue = await startJobs(pool, jobs, logger);
  afterFile(() => queue.close());
  await expect
    .poll(async () => {
      const { rows } = await blocker.query(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = 'graphile_worker._private_tasks'::regclass`,
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 600));
  await blocker.query('COMMIT');
  await pool.query(`SELECT graphile_worker.add_job('greet', '{}')`);
  await expect.poll(() => done, { timeout: 25_000 }).toEqual(['greeted']);
});
