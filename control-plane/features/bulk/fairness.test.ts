/** Workspaces take turns: nobody waits behind another's batches. */
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { plainRows, submitted } from './testing/calls.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

/** Jobs that are added wait until they are let go, all at once. */
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
    'SELECT FROM bulk_operations WHERE id = ANY($1) AND completed_at IS NULL',
    [bulkIds],
  );
  return rowCount;
};

test('20 workspaces with a batch each do not wait behind the 20 batches of one that came first', async () => {
  const [hog, ...others] = await Promise.all(Array.from({ length: 21 }, () => plane.workspace()));
  // Nobody gets on before all have submitted.
  const letGo = await holdJobs();
  const own: string[] = [];
  for (let n = 0; n < 20; n++) own.push(await submitted(hog!.call, plainRows(150)));
  const theirs = await Promise.all(others.map(({ call }) => submitted(call, plainRows(10))));
  await letGo();
  await expect.poll(() => unfinished(theirs), { timeout: 60_000 }).toBe(0);
  const { rows } = await plane.pool.query<{ before: number }>(
    `SELECT count(*)::integer AS before FROM bulk_operations
     WHERE id = ANY($1) AND completed_at < (SELECT max(completed_at) FROM bulk_operations WHERE id = ANY($2))`,
    [own, theirs],
  );
  // One batch after the other, all 20 would have been done before the last of the others.
  expect(rows[0]!.before).toBeLessThan(15);
}, 120_000);
