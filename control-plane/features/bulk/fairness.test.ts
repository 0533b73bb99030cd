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
  const own: string[] = [];
  for (let n = 0; n < 20; n++) own.push(await submitted(hog!.call, plainRows(150)));
  const theirs = await Promise.all(others.map(({ call }) => submitted(call, plainRows(10))));
  await Promise.all(theirs.map((bulkId, at) => completed(others[at]!.call, bulkId)));
  const { rows } = await plane.pool.query<{ left: number; meanwhile: number }>(
    `WITH others AS (
       SELECT max(created_at) AS submitted, max(completed_at) AS completed FROM bulk_operations WHERE id = ANY($2)
     )
     SELECT count(*) FILTER (WHERE completed_at IS NULL OR completed_at > submitted)::integer AS left,
            count(*) FILTER (WHERE completed_at BETWEEN submitted AND completed)::integer AS meanwhile
     FROM bulk_operations, others WHERE id = ANY($1)`,
    [own, theirs],
  );
  const { left, meanwhile } = rows[0]!;
  // One batch after the other, all that were left would have been done before the last of the others.
  expect(left).toBeGreaterThan(5);
  expect(meanwhile).toBeLessThan(left);
}, 120_000);
