/** If a process working on a bulk operation is killed, another resumes it: no row is lost or done twice. */
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../../../deploy/testing/index.ts';
import { createPool } from '../../db/pool.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { startPlaneProcess } from '../../testing/plane-process.ts';
import { createWorkspace } from '../tenancy/store.ts';
import { completed, plainRows, progressOf, resultOf, submitted } from './testing/calls.ts';
import { holdResults } from './testing/held-results.ts';
import { createdEventsTable, recordingFeatures } from './testing/recording-plane.ts';

const rows = 300;

test('a kill -9 half-way neither loses nor doubles a row, and progress is visible while it runs', async () => {
  const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
  afterFile(() => pool.end());
  await pool.query(createdEventsTable);
  const { apiKey } = await createWorkspace(pool, 'test', 'enterprise');
  const first = await startPlaneProcess('control-plane/features/bulk/testing/recording-plane.ts', {
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouseUrl,
  });
  await first.ready();
  const call = first.callWith(apiKey);

  // The first slice is committed; the process with the second one stops before its codes are.
  const held = await holdResults(pool, 100);
  const bulkId = await submitted(call, plainRows(rows));
  await held.isReached();
  const before = await progressOf(call, bulkId);
  expect(before).toMatchObject({ status: 'processing', total: rows, failed: 0 });
  expect(before.processed).toBeGreaterThanOrEqual(100);
  expect(before.processed).toBeLessThan(rows);
  const second = await startTestControlPlane({
    databaseUrl,
    clickhouseUrl,
    features: recordingFeatures,
  });
  await first.kill();
  await held.letGo();

  const own = second.callWith(apiKey);
  expect(await completed(own, bulkId)).toMatchObject({ total: rows, succeeded: rows, failed: 0 });
  const entries = await resultOf(own, bulkId);
  expect(entries.map(({ uid }) => uid)).toEqual(plainRows(rows).map(({ uid }) => uid));
  const { rows: stored } = await pool.query(
    `SELECT (SELECT count(*)::integer FROM codes) AS codes,
            (SELECT count(DISTINCT destination)::integer FROM codes WHERE id = ANY($1)) AS destinations,
            count(*)::integer AS events, count(DISTINCT code_id)::integer AS "codesWithEvents",
            count(DISTINCT process)::integer AS processes FROM created_events`,
    [entries.map(({ id }) => id)],
  );
  expect(stored).toEqual([
    { codes: rows, destinations: rows, events: rows, codesWithEvents: rows, processes: 2 },
  ]);
}, 180_000);
