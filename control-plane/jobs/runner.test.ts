import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { afterFile, createTestDatabase, databaseAdminUrl } from '../../deploy/testing/index.ts';
import { jobsAtOnce } from '../platform/db/connections.ts';
import { createPool } from '../platform/db/pool.ts';
import { startJobs } from './runner.ts';

/** As the product's: an ended pool may still have connections when its database is dropped. */
const poolOf = (databaseUrl: string) => {
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 5);
  afterFile(() => pool.end());
  return pool;
};

test('jobs run once the database answers, also where it did not when the queue asked for the first time', async () => {
  const connectionString = await createTestDatabase();
  const pool = poolOf(connectionString);
  Object.assign(pool.options, { lock_timeout: 300 });
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
  const said: unknown[] = [];
  logger.error = (_: unknown, message?: string) => said.push(message ?? _);
  const first = await startJobs(pool, jobs, logger);
  await first.close();

  // Which kinds of jobs there are is the first thing that the queue asks, and cannot ask now.
  await blocker.query('BEGIN; LOCK TABLE graphile_worker._private_tasks IN ACCESS EXCLUSIVE MODE');
  const queue = await startJobs(pool, jobs, logger);
  afterFile(() => queue.close());
  await expect.poll(() => said).toContain('the job queue stopped; it is started anew');
  await blocker.query('COMMIT');
  await pool.query(`SELECT graphile_worker.add_job('greet', '{}')`);
  await expect.poll(() => done).toEqual(['greeted']);
});

test('a job that found no connection, and is tried again, is a warning; its last failure is an error, and so is one of its own', async () => {
  const pool = poolOf(await createTestDatabase());
  const logger = createLogger('test', 'silent');
  const said: string[] = [];
  for (const level of ['warn', 'error'] as const)
    logger[level] = (_: unknown, message?: string) =>
      said.push(`${level}: ${/\((\w+),/.exec(message ?? '')?.[1]}`);
  const fail = (sqlState: string) => async () => {
    await pool.query(`DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '${sqlState}'; END $$`);
  };
  const tasks = { connect: fail('53300'), divide: fail('22012') };
  const queue = await startJobs(pool, { tasks, crontab: '' }, logger);
  afterFile(() => queue.close());
  await pool.query(`SELECT graphile_worker.add_job('divide', '{}')`);
  await expect.poll(() => said).toEqual(['error: divide']);
  await pool.query(`SELECT graphile_worker.add_job('connect', '{}', max_attempts := 2)`);
  await expect
    .poll(() => said.filter((line) => line.endsWith('connect')))
    .toEqual(['warn: connect', 'error: connect']);
});

const hearRejections = (): unknown[] => {
  const rejections: unknown[] = [];
  const hear = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  return rejections;
};

/** A queue whose task `wait` continues until the test ends it, and the key to its database. */
const startWaitingJobs = async () => {
  const databaseUrl = await createTestDatabase();
  const logger = createLogger('test', 'silent');
  const said: unknown[] = [];
  logger.error = (_: unknown, message?: string) => said.push(message ?? _);
  const pool = createPool(databaseUrl, 'test', logger);
  afterFile(() => pool.end());
  const waiting: PromiseWithResolvers<void>[] = [];
  const greeted: string[] = [];
  const wait = () => {
    const end = Promise.withResolvers<void>();
    waiting.push(end);
    return end.promise;
  };
  const greet = async () => {
    greeted.push('greeted');
  };
  const queue = await startJobs(pool, { tasks: { wait, greet }, crontab: '' }, logger);
  afterFile(() => queue.close());
  const allowConnections = async (allowed: boolean) => {
    const database = new URL(databaseUrl).pathname.slice(1);
    const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql, [], 60_000);
    await admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS ${allowed}`);
    // Not later: the queue starts again at once, and a job whose lock is committed and whose answer is cut stays locked for hours.
    if (!allowed)
      await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  };
  return { pool, queue, waiting, greeted, said, allowConnections };
};

describe('while the database cannot be reached', () => {
  test.each([
    ['finish', (end: PromiseWithResolvers<void>) => end.resolve()],
    ['fail', (end: PromiseWithResolvers<void>) => end.reject(new Error('as told'))],
  ])('jobs that %s end no process: they run again, and so do later ones', async (_, tell) => {
    const rejections = hearRejections();
    const { pool, waiting, greeted, said, allowConnections } = await startWaitingJobs();
    await pool.query(`SELECT graphile_worker.add_job('wait', '{}') FROM generate_series(1, ${jobsAtOnce})`);
    await expect.poll(() => waiting).toHaveLength(jobsAtOnce);
    await allowConnections(false);
    for (const end of waiting.splice(0)) {
      tell(end);
      await expect(pool.query('SELECT')).rejects.toThrow();
    }
    expect(rejections).toEqual([]);
    // Not earlier: a queue that still tries to mark a job could do so, and then the job would not run again.
    await expect.poll(() => said).toContain('the job queue stopped; it is started anew');
    await allowConnections(true);
    await expect.poll(() => waiting).toHaveLength(jobsAtOnce);
    for (const end of waiting) end.resolve();
    await pool.query(`SELECT graphile_worker.add_job('greet', '{}')`);
    await expect.poll(() => greeted).toEqual(['greeted']);
    await expect
      .poll(async () => (await pool.query('SELECT FROM graphile_worker._private_jobs')).rowCount)
      .toBe(0);
    expect(rejections).toEqual([]);
  });

  test('a queue closes, also where jobs have ended that it cannot mark', async () => {
    const rejections = hearRejections();
    const { pool, queue, waiting, allowConnections } = await startWaitingJobs();
    await pool.query(`SELECT graphile_worker.add_job('wait', '{}') FROM generate_series(1, ${jobsAtOnce})`);
    await expect.poll(() => waiting).toHaveLength(jobsAtOnce);
    await allowConnections(false);
    const closed = queue.close();
    for (const end of waiting) {
      end.resolve();
      await expect(pool.query('SELECT')).rejects.toThrow();
    }
    await closed;
    await allowConnections(true);
    expect(rejections).toEqual([]);
  });
});
