/** Workspaces take turns: nobody waits behind another's batches. */
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { completed, environment, plainRows, submitted } from './testing/calls.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment });
});

test('20 workspaces with a batch each do not wait behind the 20 batches of one that came first', async () => {
  const [hog, ...others] = await Promise.all(Array.from({ length: 21 }, () => plane.workspace()));
  // Nobody gets on before all have submitted.
  const lock = await plane.pool.connect();
  await lock.query('BEGIN; LOCK TABLE codes IN SHARE MODE');
  const own: string[] = [];
  for (let n = 0; n < 20; n++) own.push(await submitted(hog!.call, plainRows(150)));
  const theirs = await Promise.all(others.map(({ call }) => submitted(call, plainRows(10))));
  await lock.query('ROLLBACK');
  lock.release();
  await Promise.all(theirs.map((bulkId, at) => completed(others[at]!.call, bulkId)));
  const { rows } = await plane.pool.query<{ before: number }>(
    `SELECT count(*)::integer AS before FROM bulk_operations
     WHERE id = ANY($1) AND completed_at < (SELECT max(completed_at) FROM bulk_operations WHERE id = ANY($2))`,
    [own, theirs],
  );
  // One batch after the other, all 20 would have been done before the last of the others.
  expect(rows[0]!.before).toBeLessThan(15);
}, 120_000);
