/** Workspaces take turns: none waits behind another's batches. */
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { plainRows, submitted } from './testing/calls.ts';
import { holdTurns } from './testing/held-turns.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

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
  const letGo = await holdTurns(plane.pool);
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
