/** A process that mints is killed: another one goes on, and no item is missing or there twice. */
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../db/pool.ts';
import { startTestControlPlane } from '../../../testing/control-plane.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { atPosition, ended, jobOf, mint, storedItems, whole } from '../testing/mints.ts';
import { sliceItems } from './slices.ts';

const count = 5 * sliceItems;
/** Any number: the gate that the test holds. */
const gate = 4_711;

test('a kill -9 in the middle of a slice leaves neither a duplicate nor a gap, and progress is visible while it runs', async () => {
  const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
  afterFile(() => pool.end());
  const { apiKey } = await createWorkspace(pool, 'test', 'enterprise');
  const first = await startPlaneProcess('control-plane/main.ts', {
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouseUrl,
  });
  await first.ready();
  const call = first.callWith(apiKey);
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [gate]);
  // In the middle of the third slice.
  await atPosition(pool, 2 * sliceItems + 100, `PERFORM pg_advisory_xact_lock(${gate})`);

  const { jobId, batchId } = await mint(call, { count });
  const waiting = async () =>
    (await pool.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${gate} AND NOT granted`))
      .rowCount;
  await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(1);
  expect(await jobOf(call, jobId)).toMatchObject({ status: 'processing', itemsWritten: 2 * sliceItems });
  expect(await storedItems(pool, batchId)).toEqual(whole(2 * sliceItems));
  await first.kill();
  await holder.query('SELECT pg_advisory_unlock($1)', [gate]);
  holder.release();

  const second = await startTestControlPlane({ databaseUrl, clickhouseUrl });
  expect(await ended(second.callWith(apiKey), jobId)).toMatchObject({
    status: 'completed',
    itemsWritten: count,
  });
  expect(await storedItems(pool, batchId)).toEqual(whole(count));
}, 180_000);

test('two planes write no slice twice, and none fails because of the other', async () => {
  const one = await startTestControlPlane();
  const two = await startTestControlPlane({ databaseUrl: one.databaseUrl, clickhouseUrl: one.clickhouseUrl });
  const { call, apiKey } = await one.workspace();
  const both = [call, two.callWith(apiKey)];
  const mints = await Promise.all(
    both.flatMap((each) => [1, 2].map(() => mint(each, { count: 2 * sliceItems }))),
  );
  for (const { jobId, batchId } of mints) {
    expect(await ended(call, jobId)).toMatchObject({ status: 'completed' });
    expect(await storedItems(one.pool, batchId)).toEqual(whole(2 * sliceItems));
  }
  const { rows } = await one.pool.query('SELECT DISTINCT failures FROM serialized_jobs');
  expect(rows).toEqual([{ failures: 0 }]);
}, 120_000);
