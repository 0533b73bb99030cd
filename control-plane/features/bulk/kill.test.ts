/** A process that works on a bulk operation is killed: another one goes on, and no row is lost or done twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  freePort,
  redisUrl,
  temporaryFolder,
} from '../../../deploy/testing/index.ts';
import { createPool } from '../../db/pool.ts';
import { type Call, secretKey, startTestControlPlane } from '../../testing/control-plane.ts';
import { createWorkspace } from '../tenancy/store.ts';
import { completed, environment, plainRows, progressOf, resultOf, submitted } from './testing/calls.ts';
import { createdEventsTable, recordingFeatures } from './testing/recording-plane.ts';

const rows = 1_000;

/** A control plane in a process of its own. */
const startProcess = async (databaseUrl: string, clickhouseUrl: string) => {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing/recording-plane.ts')], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      DATA_DIR: await temporaryFolder(),
      HOST: '127.0.0.1',
      CONTROL_PLANE_PORT: String(port),
      CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl(),
      CLICKHOUSE_URL: clickhouseUrl,
      SECRET_KEY: secretKey,
      ...environment,
    },
  });
  afterFile(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const readiness = () =>
    fetch(`http://127.0.0.1:${internalPort}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
  const callWith =
    (apiKey: string): Call =>
    async (method, pathname, body, headers = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${pathname}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
  return {
    callWith,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

test('a kill -9 in the middle neither loses nor doubles a row, and progress is visible while it runs', async () => {
  const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
  afterFile(() => pool.end());
  await pool.query(createdEventsTable);
  const { apiKey } = await createWorkspace(pool, 'test', 'enterprise');
  const first = await startProcess(databaseUrl, clickhouseUrl);
  const call = first.callWith(apiKey);

  const bulkId = await submitted(call, plainRows(rows));
  const processed = async () => (await progressOf(call, bulkId)).processed;
  await expect.poll(processed, { timeout: 30_000, interval: 5 }).toBeGreaterThanOrEqual(100);
  // Whoever has a slice comes to a stop before its codes are stored.
  const lock = await pool.connect();
  await lock.query('BEGIN; LOCK TABLE codes IN SHARE MODE');
  const stopped = async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_locks WHERE relation = 'codes'::regclass AND NOT granted`,
    );
    return rowCount;
  };
  await expect.poll(stopped, { timeout: 8_000, interval: 20 }).toBe(1);
  const before = await progressOf(call, bulkId);
  expect(before).toMatchObject({ status: 'processing', total: rows, failed: 0 });
  expect(before.processed).toBeLessThan(rows);
  const second = await startTestControlPlane({
    databaseUrl,
    clickhouseUrl,
    environment,
    features: recordingFeatures,
  });
  await first.kill();
  await lock.query('ROLLBACK');
  lock.release();

  const own = second.callWith(apiKey);
  expect(await completed(own, bulkId, 60_000)).toMatchObject({ total: rows, succeeded: rows, failed: 0 });
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
