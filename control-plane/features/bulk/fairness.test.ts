/** Workspaces take turns: none waits behind another's batches. */
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { plainRows, submitted } from './testing/calls.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

/** Holds all jobs that are added until they are released together. */
const holdJobs = async () => {
  await plane.pool.query(`
    CREATE FUNCTION hold_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.run_at := now() + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER hold_job BEFORE INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION hold_job()`);
  return async () => {
    await plane.pool.query('DROP FUNCTION hold_job CASCADE');
    await plane.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  };
};

const unfinished = async (bulkIds: readonly string[]) => {
  const { rowCount } = await plane.pool.query(
    'SELECT FROM jobs WHERE id = ANY($1) AND completed_at IS NULL',
    [bulkIds],
  );
  return rowCount;
};

test('20 workspaces with one batch each do not wait behind the 20 batches of an earlier workspace', async () => {
  const [hog, ...others] = await Promise.all(Array.from({ length: 21 }, () => plane.workspace()));
  // No batch starts before all are submitted.
  const letGo = await holdJobs();
  const own: string[] = [];
  for (let n = 0; n < 20; n++) own.push(await submitted(hog!.call, plainRows(150)));
  const theirs = await Promise.all(others.map(({ call }) => submitted(call, plainRows(10))));
  await letGo();
  await expect.poll(() => unfinished(theirs), { timeout: 60_000 }).toBe(0);
  const { rows } = await plane.pool.query<{ before: number }>(
    `SELECT count(*)::integer AS before FROM jobs
     WHERE id = ANY($1) AND completed_at < (SELECT max(completed_at) FROM jobs WHERE id = ANY($2))`,
    [own, theirs],
  );
  // In order of arrival, all 20 batches would have finished before the others.
  expect(rows[0]!.before).toBeLessThan(15);
}, 120_000);
